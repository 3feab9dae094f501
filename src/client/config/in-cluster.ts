import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { ClientConfig, ConfigEntry } from '../../outbound/config-file.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { type Environment, exists } from './config-sources.ts';

const NAME = 'in-cluster';

/**
 * The configuration of a process in a pod: the variables that every container has, and the files of its service account.
 * Undefined outside of one. `mount`: where those files are, unless it is the usual place.
 */
export async function inClusterConfig(
  { environment: names, paths }: Vocabulary,
  environment: Environment,
  mount: string = paths.serviceAccountMount,
): Promise<ClientConfig | undefined> {
  const [host, port] = [environment[names.serviceHost], environment[names.servicePort]];
  const tokenFile = join(mount, 'token');
  if (!host || !port || !(await exists(tokenFile))) return undefined;
  const authority = join(mount, 'ca.crt');
  const entry = (fields: ConfigEntry['fields']): ReadonlyMap<string, ConfigEntry> =>
    new Map([[NAME, { fields, path: NAME, directory: mount }]]);
  return {
    clusters: entry({
      server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
      ...((await exists(authority)) ? { 'certificate-authority': authority } : {}),
    }),
    users: entry({ tokenFile }),
    contexts: entry({ cluster: NAME, user: NAME, namespace: await namespaceIn(mount) }),
    currentContext: NAME,
  };
}

/** '' where nothing says so. */
async function namespaceIn(mount: string): Promise<string> {
  const file = join(mount, 'namespace');
  return (await exists(file)) ? (await readFile(file, 'utf8')).trim() : '';
}
