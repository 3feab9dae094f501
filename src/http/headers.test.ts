import { expect, test } from 'vitest';
import { headerList, headerValue } from './headers.ts';
import type { HttpRequest } from './message.ts';

const request: HttpRequest = {
  method: 'GET',
  target: '/',
  headers: { 'impersonate-group': 'a, b, c', accept: 'text/plain', 'set-cookie': ['x', 'y'] },
  rawHeaders: ['Impersonate-Group', 'a, b', 'Accept', 'text/plain', 'IMPERSONATE-GROUP', 'c'],
  remoteAddress: '',
  hasBody: false,
  readBody: async () => Buffer.alloc(0),
  onceGone() {},
  streamBody: () => undefined,
  canUpgrade: false,
};

test('a repeated header keeps its values apart, commas included', () => {
  expect(headerList(request, 'impersonate-group')).toEqual(['a, b', 'c']);
});

test('a header that was not sent has no values', () => {
  expect(headerList(request, 'impersonate-user')).toEqual([]);
  expect(headerValue(request, 'impersonate-user')).toBeUndefined();
});

test('one value is asked for, the first is given', () => {
  expect(headerValue(request, 'accept')).toBe('text/plain');
  expect(headerValue(request, 'set-cookie')).toBe('x');
});
