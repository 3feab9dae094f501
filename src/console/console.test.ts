import { expect, it } from 'vitest';
import { userNamed } from '../api/user.ts';
import { OneTimeLogins } from '../authentication/one-time-logins.ts';
import { inject } from '../http/inject.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { vocabularyNamed } from '../vocabulary/vocabulary.ts';
import { consoleAround } from './console.ts';

it('files are refused while memory is short, and who has a code can log in', async () => {
  const logins = new OneTimeLogins(systemRuntime, userNamed('admin', []));
  let isShort = true;
  const compressed = Buffer.from('file');
  const find = async () => ({ type: 'text/html', compressed, plain: async () => compressed });
  const handle = consoleAround({
    files: { find },
    logins,
    recordLogin: async (_, attempt) => (await attempt()).reply,
    identify: async () => userNamed('admin', []),
    isShortOfMemory: () => isShort,
    vocabulary: vocabularyNamed('platform'),
  })(() => expect.unreachable());
  const refused = await inject(handle, { target: '/console' });
  expect(refused.status).toBe(429);
  expect(refused.headers).toContainEqual(['Retry-After', '1']);
  const body = JSON.stringify({ code: logins.code() });
  const headers = { 'content-type': 'application/json' };
  expect((await inject(handle, { method: 'POST', target: '/console/login', headers, body })).status).toBe(200);
  isShort = false;
  expect((await inject(handle, { target: '/console' })).status).toBe(200);
});
