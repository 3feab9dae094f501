import { expect, it } from 'vitest';
import { readRequestInfo } from '../request/request-info.ts';
import { seatsFor } from './seats.ts';

it.each([
  ['GET', '/api/v1/namespaces/n/pods/p', 100_000, 1],
  ['POST', '/api/v1/namespaces/n/pods', 100_000, 1],
  ['GET', '/api/v1/pods?watch=1', 100_000, 1],
  ['GET', '/api/v1/pods', 0, 1],
  ['GET', '/api/v1/pods', undefined, 1],
  ['GET', '/api/v1/pods', 50, 1],
  ['GET', '/api/v1/pods', 51, 2],
  ['GET', '/api/v1/pods', 100_000, 10],
  ['GET', '/api/v1/pods?limit=500', 100_000, 10],
  ['GET', '/api/v1/pods?limit=100', 100_000, 2],
  ['GET', '/api/v1/pods?limit=many', 300, 6],
  ['GET', '/api/v1/pods?resourceVersion=0', 300, 3],
  ['GET', '/api/v1/pods?resourceVersion=0&limit=10', 300, 3],
  ['GET', '/api/v1/pods?resourceVersion=7&limit=10', 300, 1],
  ['GET', '/api/v1/pods?resourceVersion=7&resourceVersionMatch=Exact', 300, 6],
  ['GET', '/api/v1/pods?labelSelector=a&limit=10', 300, 4],
])('%s %s takes, of %s objects, %s seats', (method, target, stored, expected) => {
  expect(seatsFor(readRequestInfo(method, target), () => stored)).toBe(expected);
});
