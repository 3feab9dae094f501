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
  const extent = stored === undefined ? undefined : { objects: stored, bytesEach: 500 };
  expect(seatsFor(readRequestInfo(method, target), undefined, () => extent)).toBe(expected);
});

it.each([
  ['of large objects', '/api/v1/pods', undefined, { objects: 10, bytesEach: 100_000 }, 4],
  ['of few small objects', '/api/v1/pods', undefined, { objects: 50, bytesEach: 1_000 }, 1],
  ['as a table', '/api/v1/pods', 'application/json;as=Table;v=v1;g=meta', { objects: 60, bytesEach: 1_000 }, 4],
  ['in YAML', '/api/v1/pods', 'application/yaml', { objects: 60, bytesEach: 1_000 }, 4],
  ['indented', '/api/v1/pods?pretty=1', undefined, { objects: 60, bytesEach: 1_000 }, 4],
  ['in binary', '/api/v1/pods', 'application/protobuf', { objects: 60, bytesEach: 1_000 }, 2],
])('a list %s takes seats by what it costs', (_, target, accept, extent, expected) => {
  expect(seatsFor(readRequestInfo('GET', target), accept, () => extent)).toBe(expected);
});
