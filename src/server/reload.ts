import type { Listener } from '../http/listener.ts';
import type { Logger } from '../logging.ts';
import { followFiles } from '../pki/followed-files.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import type { Authentication } from './authentication.ts';
import { type Credentials, clientCasOf, rereadServing, rereadTrust } from './credentials.ts';

export interface ReloadParts {
  readonly settings: Settings;
  readonly credentials: Credentials;
  readonly authentication: Authentication;
  readonly listener: Listener;
  /** Told of other authorities once they count. */
  readonly onTrust: (credentials: Credentials) => void;
  readonly runtime: Runtime;
  readonly logger: Logger;
}

/**
 * Takes up new certificates and authorities from the files that the settings name, while the server runs. Files that
 * cannot be used are told of, and what was there before stays.
 */
export function followCredentials(parts: ReloadParts): { close(): void } {
  const { settings, authentication, listener, onTrust, runtime, logger } = parts;
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile, requestheaderClientCaFile } = settings;
  let current = parts.credentials;
  const take = (reread: () => Credentials, use: (next: Credentials) => void) => (): void => {
    try {
      const next = reread();
      use(next);
      const { serving } = next;
      listener.reload({ key: serving.key, cert: serving.certificate, clientCas: clientCasOf(next) });
      current = next;
    } catch (error) {
      logger.error({ err: error }, 'changed certificates cannot be used; the former ones stay');
    }
  };
  const follow = (files: readonly (string | undefined)[], onChange: () => void) => {
    const given = files.filter((file) => file !== undefined);
    return given.length === 0 ? [] : [followFiles(given, runtime, onChange)];
  };
  const followed = [
    ...follow(
      [tlsCertFile, tlsPrivateKeyFile],
      take(
        () => rereadServing(settings, current),
        () => {},
      ),
    ),
    ...follow(
      [clientCaFile, requestheaderClientCaFile],
      take(
        () => rereadTrust(settings, current),
        (next) => {
          authentication.trust(next);
          onTrust(next);
        },
      ),
    ),
  ];
  return {
    close() {
      for (const one of followed) one.close();
    },
  };
}
