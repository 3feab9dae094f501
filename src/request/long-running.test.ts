import { expect, it } from 'vitest';
import { isLongRunning } from './long-running.ts';
import { readRequestInfo } from './request-info.ts';

it.each([
  ['GET', '/api/v1/pods?watch=1', true],
  ['GET', '/api/v1/watch/pods', true],
  ['POST', '/api/v1/namespaces/n/pods/p/exec', true],
  ['GET', '/api/v1/namespaces/n/pods/p/log', true],
  ['GET', '/api/v1/nodes/n/proxy/metrics', true],
  ['GET', '/api/v1/pods', false],
  ['PUT', '/api/v1/namespaces/n/pods/p/status', false],
  ['GET', '/api/v1/namespaces/n/pods/exec', false],
  ['GET', '/proxy', false],
])('%s %s is long-running: %s', (method, target, expected) => {
  expect(isLongRunning(readRequestInfo(method, target))).toBe(expected);
});
