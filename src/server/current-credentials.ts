import type { Logger } from '../observe/logging/logger.ts';
import { followFiles } from '../pki/followed-files.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import { type Credentials, type FrontTrust, rereadServing, rereadTrust } from './credentials.ts';

export interface CurrentCredentialsOptions {
  readonly settings: Settings;
  /** As read at the start. */
  readonly credentials: Credentials;
  readonly runtime: Runtime;
  readonly logger: Logger;
}

/** Takes up other credentials. Throws when it cannot use them. */
export type UseCredentials = (credentials: Credentials) => void;

/**
 * The credentials that count: those of the start, until the files that the settings name hold others. Files that cannot be
 * used are told of, and what was there before stays.
 */
export class CurrentCredentials {
  readonly #settings: Settings;
  readonly #logger: Logger;
  /** Those who verify clients come before those who serve: what they cannot use, nobody gets. */
  readonly #verifying = new Set<UseCredentials>();
  readonly #serving = new Set<UseCredentials>();
  readonly #followed: readonly { close(): void }[];
  #current: Credentials;

  constructor({ settings, credentials, runtime, logger }: CurrentCredentialsOptions) {
    const { tlsCertFile, tlsPrivateKeyFile, clientCaFile, requestheaderClientCaFile } = settings;
    this.#settings = settings;
    this.#logger = logger;
    this.#current = credentials;
    const follow = (files: readonly (string | undefined)[], onChange: () => void) => {
      const given = files.filter((file) => file !== undefined);
      return given.length === 0 ? [] : [followFiles(given, runtime, onChange)];
    };
    this.#followed = [
      ...follow([tlsCertFile, tlsPrivateKeyFile], () => this.#take(rereadServing, this.#serving)),
      ...follow([clientCaFile, requestheaderClientCaFile], () =>
        this.#take(rereadTrust, [...this.#verifying, ...this.#serving]),
      ),
    ];
  }

  get current(): Credentials {
    return this.#current;
  }

  /** Calls back when other authorities are to be trusted from now on. */
  onTrust(use: UseCredentials): void {
    this.#verifying.add(use);
  }

  /** Calls back when clients are to be shown another certificate, or asked for one of other authorities. */
  onServing(use: UseCredentials): { close(): void } {
    this.#serving.add(use);
    return { close: () => void this.#serving.delete(use) };
  }

  /** The server in front says something else of whom it trusts. */
  trustFront(front: FrontTrust): void {
    const reread = (settings: Settings, former: Credentials): Credentials =>
      rereadTrust(settings, { ...former, front });
    this.#take(reread, [...this.#verifying, ...this.#serving]);
  }

  close(): void {
    for (const one of this.#followed) one.close();
  }

  #take(reread: typeof rereadServing, users: Iterable<UseCredentials>): void {
    try {
      const next = reread(this.#settings, this.#current);
      for (const use of users) use(next);
      this.#current = next;
    } catch (error) {
      this.#logger.error({ err: error }, 'changed certificates cannot be used; the former ones stay');
    }
  }
}
