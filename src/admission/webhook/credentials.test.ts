import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { readWebhookCredentials } from './credentials.ts';

const { platform } = vocabularies;

const CONFIGURATION = {
  apiVersion: 'apiserver.config.platform.io/v1',
  kind: 'WebhookAdmissionConfiguration',
};

async function credentialsFor(names: readonly string[], more: object = {}) {
  const file = join(await temporaryDirectory(), 'credentials.yaml');
  const users = names.map((name) => ({ name, user: { token: `token of ${name}` } }));
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'Config', users, ...more }));
  return readWebhookCredentials({ ...CONFIGURATION, kubeConfigFile: file }, platform);
}

const tokenOf = (name: string): string => `token of ${name}`;

it.each([
  ['hook.ns.svc:443', ['hook.ns.svc', '*.ns.svc', '*'], 'hook.ns.svc'],
  ['hook.ns.svc:443', ['hook.ns.svc:443', 'hook.ns.svc'], 'hook.ns.svc:443'],
  ['hook.ns.svc:8443', ['hook.ns.svc', '*'], '*'],
  ['hook.ns.svc:8443', ['hook.ns.svc:8443', '*.ns.svc:8443'], 'hook.ns.svc:8443'],
  ['hook.ns.svc:8443', ['*.svc:8443', '*.ns.svc:8443'], '*.ns.svc:8443'],
  ['hook.ns.svc:443', ['*.svc', '*'], '*.svc'],
  ['example.com:443', ['*.com'], '*.com'],
  ['127.0.0.1:9443', ['127.0.0.1:9443'], '127.0.0.1:9443'],
  ['127.0.0.1:9443', ['127.0.0.2:9443'], undefined],
])('%s is shown, of %j, the credentials of %s', async (place, names, expected) => {
  const credentials = await credentialsFor(names);
  expect(credentials.of(place).token).toBe(expected && tokenOf(expected));
});

it('the user of the current context is for everyone else', async () => {
  const contexts = [{ name: 'x', context: { cluster: 'c', user: 'u' } }];
  const credentials = await credentialsFor(['u', 'a.b'], { contexts, 'current-context': 'x' });
  expect(credentials.of('c.d:443').token).toBe(tokenOf('u'));
});

it('without a configuration nothing is shown', async () => {
  const credentials = await readWebhookCredentials(undefined, platform);
  expect(credentials.of('a.b:443')).toEqual({});
});

it.each([
  [{}, 'a WebhookAdmissionConfiguration of apiserver.config.platform.io/v1 is wanted'],
  [{ ...CONFIGURATION, kind: 'Other' }, 'a WebhookAdmissionConfiguration of'],
  [{ ...CONFIGURATION, kubeConfigFile: 'here' }, 'must be an absolute file path'],
  [{ ...CONFIGURATION, kubeConfigFile: '/nowhere/at/all' }, 'cannot read /nowhere/at/all'],
])('%j is refused: %s', async (configuration, message) => {
  await expect(readWebhookCredentials(configuration, platform)).rejects.toThrow(message);
});
