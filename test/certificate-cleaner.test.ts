import { afterAll, beforeAll, expect, it } from 'vitest';
import { CertificateRequests } from './support/certificate-requests.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** When certificate requests go by themselves. */

const MINUTE = 60_000;
const runtime = new ShiftableRuntime();
let plane: TestServer;
let requests: CertificateRequests;
beforeAll(async () => {
  plane = await startTestServer({ runtime });
  requests = new CertificateRequests(plane);
});
afterAll(() => plane.close());

const CLIENT = { signerName: 'platform.io/apiserver-client', usages: ['client auth'], request: {} };
const FOREIGN = { ...CLIENT, signerName: 'example.com/own' };
const NAMES = ['pending', 'approved', 'denied', 'failed', 'issued', 'brief'] as const;

const present = async (): Promise<string[]> => {
  const found = await Promise.all(NAMES.map((name) => requests.exists(name)));
  return NAMES.filter((_, at) => found[at]);
};

it('requests go an hour after they were decided, a day when they were not, and with their certificate', async () => {
  await requests.create('pending', FOREIGN);
  await requests.create('approved', FOREIGN);
  await requests.decide('approved');
  await requests.create('denied', CLIENT);
  await requests.decide('denied', 'Denied');
  await requests.create('failed', { ...CLIENT, usages: ['server auth'] });
  await requests.decide('failed');
  await requests.answered('failed');
  await requests.issue('issued', CLIENT);
  await requests.issue('brief', { ...CLIENT, expirationSeconds: 600 });

  runtime.advance(9 * MINUTE);
  expect(await present()).toEqual(NAMES);
  runtime.advance(2 * MINUTE);
  await requests.gone('brief');
  runtime.advance(48 * MINUTE);
  expect(await present()).toEqual(['pending', 'approved', 'denied', 'failed', 'issued']);
  runtime.advance(2 * MINUTE);
  await Promise.all(['approved', 'denied', 'failed', 'issued'].map((name) => requests.gone(name)));
  runtime.advance(22 * 60 * MINUTE);
  expect(await present()).toEqual(['pending']);
  runtime.advance(62 * MINUTE);
  await requests.gone('pending');
});

it('a request that is decided late has its hour from then on', async () => {
  await requests.create('late', FOREIGN);
  runtime.advance(23 * 60 * MINUTE + 30 * MINUTE);
  await requests.decide('late');
  runtime.advance(55 * MINUTE);
  expect(await requests.exists('late')).toBe(true);
  runtime.advance(6 * MINUTE);
  await requests.gone('late');
});
