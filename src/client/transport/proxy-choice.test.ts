import { describe, expect, it } from 'vitest';
import { proxyByEnvironment, readProxy } from './proxy-choice.ts';

const PROXY = 'http://proxy.example:3128';
const chosen = (server: string, noProxy: string): boolean =>
  proxyByEnvironment(new URL(server), { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, NO_PROXY: noProxy }) !== undefined;

describe('the environment', () => {
  it.each([
    ['https://plane.example', { HTTPS_PROXY: PROXY }, `${PROXY}/`],
    ['https://plane.example', { https_proxy: PROXY }, `${PROXY}/`],
    ['https://plane.example', { HTTP_PROXY: PROXY }, undefined],
    ['http://plane.example', { HTTP_PROXY: PROXY }, `${PROXY}/`],
    ['http://plane.example', { HTTPS_PROXY: PROXY }, undefined],
    ['https://plane.example', { HTTPS_PROXY: 'proxy.example:3128' }, `${PROXY}/`],
    ['https://plane.example', { HTTPS_PROXY: '', https_proxy: PROXY }, `${PROXY}/`],
    ['https://plane.example', {}, undefined],
  ])('for %s with %o names %s', (server, environment, expected) => {
    expect(proxyByEnvironment(new URL(server), environment)?.href).toBe(expected);
  });

  it.each(['https://localhost:6443', 'https://127.0.0.1', 'https://127.8.9.1:6443', 'https://[::1]:6443'])(
    'names none for %s, which is this machine',
    (server) => {
      expect(chosen(server, '')).toBe(false);
    },
  );

  it.each([
    ['https://plane.example', '*', false],
    ['https://plane.example', 'plane.example', false],
    ['https://plane.example', 'PLANE.example', false],
    ['https://a.plane.example', 'plane.example', false],
    ['https://aplane.example', 'plane.example', true],
    ['https://plane.example', '.plane.example', true],
    ['https://a.plane.example', '.plane.example', false],
    ['https://a.plane.example', '*.plane.example', false],
    ['https://plane.example', '*.plane.example', true],
    ['https://plane.example:6443', 'plane.example:6443', false],
    ['https://plane.example:6444', 'plane.example:6443', true],
    ['https://plane.example', 'plane.example:443', false],
    ['https://10.1.2.3', '10.0.0.0/8', false],
    ['https://11.1.2.3', '10.0.0.0/8', true],
    ['https://10.1.2.3', '10.1.2.3', false],
    ['https://10.1.2.3:6443', '10.1.2.3:6443', false],
    ['https://10.1.2.3:6444', '10.1.2.3:6443', true],
    ['https://[fd00::1]', 'fd00::/8', false],
    ['https://[fd00::1]:6443', '[fd00::1]:6443', false],
    ['https://[fd00::1]', 'fd00:0::1', false],
    ['https://plane.example', 'other.example, plane.example', false],
    ['https://plane.example', ' ,, ', true],
    ['https://10.1.2.3', '10.0.0.0/99', true],
  ])('with %s and NO_PROXY=%s: %s', (server, noProxy, isChosen) => {
    expect(chosen(server, noProxy)).toBe(isChosen);
  });
});

it.each(['ftp://proxy.example', 'not a url', 'socks4://proxy.example:1'])('%s is no proxy that can be used', (text) => {
  expect(() => readProxy(text, 'proxy-url')).toThrow(/^proxy-url: /);
});
