import { posix } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRequestInfo } from '../../request/request-info.ts';
import { proxyPath, rewriteLocation } from './proxy-path.ts';
import { readTargetId } from './target-id.ts';

const PREFIXES = ['/api/v1/nodes/n/proxy', '/api/v1/namespaces/n/pods/p/proxy', '/apis/g/v1/namespaces/n/r/x/proxy'];
const segment = fc.constantFrom('', '.', '..', 'a', 'b.c', 'proxy', 'api', '%20', 'x%2Fy');

it('leads where a path leads that is walked step by step, never above the root', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PREFIXES), fc.array(segment, { minLength: 1 }), (prefix, segments) => {
      const rest = `/${segments.join('/')}`;
      const found = proxyPath(readRequestInfo('GET', `${prefix}${rest}?q=1`));
      const plain = posix.normalize(rest);
      const isDirectory = rest.endsWith('/') && plain !== '/';
      expect(found).toEqual({ prefix, path: plain.replace(/\/$/, '') + (isDirectory || plain === '/' ? '/' : '') });
    }),
  );
});

it('knows encoded dots, and tells no path from an empty one', () => {
  const pathOf = (target: string) => proxyPath(readRequestInfo('GET', target)).path;
  expect(pathOf('/api/v1/nodes/n/proxy/a/%2e%2E/b/%2e/c')).toBe('/b/c');
  expect(pathOf('/api/v1/nodes/n/proxy')).toBe('');
  expect(pathOf('/api/v1/nodes/n/proxy/')).toBe('/');
});

it.each([
  ['/x?y#z', '/here/x?y#z'],
  ['x', 'x'],
  ['//other/x', '//other/x'],
  ['http://pod:80/x?y', '/here/x?y'],
  ['http://pod/x', '/here/x'],
  ['http://other/x', 'http://other/x'],
  ['', ''],
])('sees the redirect %j as one to %j', (location, expected) => {
  expect(rewriteLocation(location, 'pod:80', '/here')).toBe(expected);
});

it.each([
  ['x', { scheme: 'http', name: 'x', port: '' }],
  ['x:80', { scheme: 'http', name: 'x', port: '80' }],
  ['https:x:web', { scheme: 'https', name: 'x', port: 'web' }],
  [':x:', { scheme: 'http', name: 'x', port: '' }],
  ['', undefined],
  [':80', undefined],
  ['ftp:x:1', undefined],
  ['http:x:1:2', undefined],
])('reads %j as a target', (id, expected) => {
  expect(readTargetId(id)).toEqual(expected);
});
