import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TestAuthority } from '../../../test/support/certificates.ts';
import { NOBODY } from '../../../test/support/plane-stand-in.ts';
import { httpProxy, type ProxyStandIn, socksProxy } from '../../../test/support/proxies.ts';
import { StandIn } from '../../../test/support/stand-in.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { HttpTransport, type TransportOptions } from '../http-transport.ts';

const authority = new TestAuthority('planes');
let plane: StandIn;
let plain: StandIn;
const closing: { close(): unknown }[] = [];

beforeAll(async () => {
  plane = await StandIn.open(authority, ['plane.example']);
  plain = await StandIn.open();
  for (const standIn of [plane, plain]) standIn.answer = (_request, response) => response.end('{"reached":true}');
});

afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
});

afterAll(async () => {
  await plane.close();
  await plain.close();
});

function opened<P extends { close(): unknown }>(one: P): P {
  closing.push(one);
  return one;
}

async function ask(server: string, options: TransportOptions, further: object = {}): Promise<string> {
  const connection = { server, ca: authority.pem, insecureSkipTlsVerify: false, ...further };
  const transport = opened(new HttpTransport(connection, systemRuntime, 'test', { environment: {}, ...options }));
  const { body } = await transport.sendAs(NOBODY)({ method: 'GET', target: '/healthz' });
  return String(body);
}

const REACHED = '{"reached":true}';
const through = (proxy: ProxyStandIn, scheme = 'http', user = ''): TransportOptions => ({
  environment: {
    HTTPS_PROXY: `${scheme}://${user}127.0.0.1:${proxy.port}`,
    HTTP_PROXY: `${scheme}://${user}127.0.0.1:${proxy.port}`,
  },
});

describe('a server is reached', () => {
  it('under another name than its address where tls-server-name says so', async () => {
    const server = `https://127.0.0.1:${plane.port}`;
    await expect(ask(server, {})).rejects.toThrow(/127\.0\.0\.1/);
    expect(await ask(server, {}, { tlsServerName: 'plane.example' })).toBe(REACHED);
  });

  it('through a proxy of the environment, by a tunnel', async () => {
    const proxy = opened(await httpProxy(plane.port));
    expect(await ask('https://plane.example:6443', through(proxy, 'http', 'me:p%40ss@'))).toBe(REACHED);
    const credentials = Buffer.from('me:p@ss').toString('base64');
    expect(proxy.asked).toEqual([`CONNECT plane.example:6443 Basic ${credentials}`]);
  });

  it('through a proxy that is spoken to over TLS', async () => {
    const proxy = opened(await httpProxy(plane.port, authority));
    expect(await ask('https://plane.example', through(proxy, 'https'))).toBe(REACHED);
    expect(proxy.asked).toEqual(['CONNECT plane.example:443']);
  });

  it('through the proxy of the configuration, also on this machine', async () => {
    const proxy = opened(await httpProxy(plane.port));
    const further = { tlsServerName: 'plane.example', proxyUrl: `http://127.0.0.1:${proxy.port}` };
    expect(await ask('https://127.0.0.1:9', {}, further)).toBe(REACHED);
    expect(proxy.asked).toEqual(['CONNECT 127.0.0.1:9']);
  });

  it('through a proxy that is handed requests as they are, without TLS', async () => {
    const proxy = opened(await httpProxy(plain.port));
    expect(await ask('http://plane.example/below', through(proxy))).toBe(REACHED);
    expect(proxy.asked).toEqual(['GET http://plane.example/below/healthz']);
    expect(plain.latest.url).toBe('/below/healthz');
  });

  it('through a SOCKS proxy, which looks names up', async () => {
    const proxy = opened(await socksProxy(plane.port));
    expect(await ask('https://plane.example:6443', through(proxy, 'socks5'))).toBe(REACHED);
    const addressed = { tlsServerName: 'plane.example' };
    expect(await ask('https://10.1.2.3', through(proxy, 'socks5'), addressed)).toBe(REACHED);
    expect(await ask('https://[fd00::1:2]', through(proxy, 'socks5'), addressed)).toBe(REACHED);
    const v6 = [0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2].join('.');
    expect(proxy.asked).toEqual(['plane.example:6443', '10.1.2.3:443', `${v6}:443`]);
  });

  it('through a SOCKS proxy that wants to know who asks', async () => {
    const proxy = opened(await socksProxy(plane.port, 'me:secret'));
    expect(await ask('https://plane.example', through(proxy, 'socks5', 'me:secret@'))).toBe(REACHED);
    const wrong = ask('https://plane.example', through(proxy, 'socks5', 'me:wrong@'));
    await expect(wrong).rejects.toThrow('does not accept the credentials');
    await expect(ask('https://plane.example', through(proxy, 'socks5'))).rejects.toThrow('other credentials');
  });
});

describe('a server is not reached', () => {
  it.each([
    ['refuses', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'refuses: 407 Proxy Authentication Required'],
    ['hangs up', 'HTTP/1.1 20', 'closed the connection'],
    ['never ends its headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`, 'answers too much'],
  ])('through a proxy that %s', async (_how, refusal, message) => {
    const proxy = opened(await httpProxy(plane.port, undefined, refusal));
    await expect(ask('https://plane.example', through(proxy))).rejects.toThrow(message);
  });

  it('where nobody listens', async () => {
    const gone = await StandIn.open();
    const { port } = gone;
    await gone.close();
    await expect(ask(`https://127.0.0.1:${port}`, {})).rejects.toThrow('ECONNREFUSED');
  });
});
