import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { type Credentials, readCredentials, refusePlugin } from '../../outbound/config.ts';
import { readContext } from '../../outbound/config-entries.ts';
import { decodeClientConfig } from '../../outbound/config-file.ts';
import { isObject } from '../../schema/json-object.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

const NOBODY: Credentials = {};
const HTTPS_PORT = ':443';

/** What the server shows of itself to webhooks, by where they are. */
export class WebhookCredentials {
  readonly #byName: ReadonlyMap<string, Credentials>;
  readonly #others: Credentials;

  /** `others`: for places that no name fits. */
  constructor(byName: ReadonlyMap<string, Credentials>, others: Credentials) {
    this.#byName = byName;
    this.#others = others;
  }

  /**
   * For a place, `host:port`. Its own name goes before names with a star for its first labels, longer ones of which go
   * before shorter ones; names without a port mean the usual one; a lone star is for everyone.
   */
  of(place: string): Credentials {
    const bare = place.endsWith(HTTPS_PORT) ? this.#named(place.slice(0, -HTTPS_PORT.length)) : undefined;
    return this.#named(place) ?? bare ?? this.#byName.get('*') ?? this.#others;
  }

  #named(place: string): Credentials | undefined {
    const labels = place.split('.');
    const names = [place, ...labels.slice(1).map((_label, at) => `*.${labels.slice(at + 1).join('.')}`)];
    for (const name of names) {
      const found = this.#byName.get(name);
      if (found) return found;
    }
    return undefined;
  }
}

export const NO_CREDENTIALS = new WebhookCredentials(new Map(), NOBODY);

/** Reads what the configuration of a webhook plugin points to. Rejects with what to tell the operator. */
export async function readWebhookCredentials(
  configuration: unknown,
  { configGroups }: Vocabulary,
): Promise<WebhookCredentials> {
  if (configuration === undefined) return NO_CREDENTIALS;
  const { apiVersion, kind, kubeConfigFile } = isObject(configuration) ? configuration : {};
  const expected = [
    `WebhookAdmissionConfiguration of ${configGroups.apiserverConfig}/v1`,
    `WebhookAdmission of ${configGroups.apiserverConfig}/v1alpha1`,
    `WebhookAdmission of ${configGroups.apiserver}/v1alpha1`,
  ];
  if (!expected.includes(`${kind} of ${apiVersion}`)) throw new Error(`a ${expected[0]} is wanted`);
  if (kubeConfigFile === undefined || kubeConfigFile === '') return NO_CREDENTIALS;
  if (typeof kubeConfigFile !== 'string' || !isAbsolute(kubeConfigFile)) {
    throw new Error(`kubeConfigFile: ${JSON.stringify(kubeConfigFile)} must be an absolute file path`);
  }
  return readUsers(kubeConfigFile);
}

async function readUsers(file: string): Promise<WebhookCredentials> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`cannot read ${file}`);
  });
  const {
    users,
    contexts,
    currentContext = '',
  } = await decodeClientConfig(text, dirname(file)).catch((error: unknown) => {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  });
  const byName = new Map<string, Credentials>();
  for (const [name, user] of users) {
    const credentials = await readCredentials(user);
    refusePlugin(credentials);
    byName.set(name, credentials);
  }
  const context = contexts.get(currentContext);
  const usual = (context && readContext(context).user) ?? '';
  return new WebhookCredentials(byName, byName.get(usual) ?? NOBODY);
}
