import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './support/test-server.ts';
import { http2Session, openHttp2Watch, type Watch } from './support/watch.ts';

/** The short form of `npm run bench:scale` for watchers. */

const PATH = '/api/v1/namespaces/default/configmaps';
const STREAMS = 60;
const EVENTS = 6;
let plane: TestServer;

beforeAll(async () => {
  plane = await startTestServer();
  await plane.admin.request('POST', PATH, { metadata: { name: 'a' } });
});

afterAll(() => plane.close());

it('many watchers on few connections see the same, beside one that reads nothing until it is over', async () => {
  const { resourceVersion } = (await plane.admin.request('GET', PATH)).body.metadata;
  const target = `${PATH}?watch=1&resourceVersion=${resourceVersion}`;
  const sessions = [1, 2].map(() => http2Session(plane.connection));
  const onStreams = sessions.flatMap((session) =>
    Array.from({ length: STREAMS }, () => openHttp2Watch(session, plane.connection, target)),
  );
  const alone = Array.from({ length: 10 }, () => plane.watch(target));
  const watches: Watch[] = await Promise.all([...onStreams, ...alone]);
  const [unread, ...readers] = watches;
  unread?.stall();
  const filling = 'x'.repeat(20_000);
  for (let step = 0; step < EVENTS; step++) {
    await plane.admin.request('PATCH', `${PATH}/a`, { data: { step: String(step), filling } });
  }
  const expected = Array.from({ length: EVENTS }, (_, step) => String(step));
  const stepsOf = async (watch: Watch) => (await watch.take(EVENTS)).map(({ object }) => object.data?.step);
  for (const reader of readers) expect(await stepsOf(reader)).toEqual(expected);
  unread?.resume();
  expect(unread && (await stepsOf(unread))).toEqual(expected);
  for (const watch of watches) watch.close();
  for (const session of sessions) session.destroy();
});
