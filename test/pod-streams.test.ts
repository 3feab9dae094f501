import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpTransport } from '../src/client/http-transport.ts';
import { PodStreams } from '../src/client/streams/pod-streams.ts';
import { PortForwarder } from '../src/client/streams/port-forwarder.ts';
import { systemRuntime } from '../src/runtime/runtime.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { runProcess } from './support/container-node.ts';
import { describeKubectl, Kubectl } from './support/kubectl.ts';
import { PlaneWithPod } from './support/plane-with-pod.ts';

const POD = { namespace: 'default', name: 'web' };
const MEBIBYTE = 2 ** 20;

describe.each(['platform', 'kubernetes'] as const)('streams of pods, in the %s vocabulary', (vocabulary) => {
  const names = vocabularies[vocabulary];
  let world: PlaneWithPod;
  let transport: HttpTransport;
  let streams: PodStreams;

  beforeAll(async () => {
    world = await PlaneWithPod.start(vocabulary);
    transport = world.transport();
    const { identity } = world;
    streams = new PodStreams(transport.openAs(identity), transport.dialAs(identity), names, systemRuntime);
  });

  beforeEach(() => {
    world.node.spoken.length = 0;
    world.node.run = (command, joined) => runProcess(command, world.inside, joined);
  });

  afterAll(async () => {
    transport.close();
    await world.close();
  });

  const { channelV5, channelV4, portForward } = names.websocketProtocols;
  const WAYS: [offer: string, spoken: string][] = [
    ['v5', `websocket ${channelV5}`],
    ['spdy', `spdy ${channelV4}`],
  ];

  async function run(command: readonly string[], stdin?: Readable) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const [out, err] = [text(stdout), text(stderr)];
    const { code } = await streams.exec(POD, command, { stdin, stdout, stderr }).finally(() => {
      stdout.end();
      stderr.end();
    });
    return { code, out: await out, err: await err };
  }

  describe.each(WAYS)('where a node speaks %s', (offer, spoken) => {
    beforeEach(() => {
      world.node.speaks = [offer];
    });

    it('a command gets its input to the end, and its output comes whole', async () => {
      const large = 'a line that is long enough\n'.repeat(40_000);
      const { code, out } = await run(['cat'], Readable.from([Buffer.from(large)]));
      expect(code).toBe(0);
      expect(out.length).toBe(large.length);
      expect(out === large).toBe(true);
      expect(world.node.spoken).toEqual([spoken]);
    });

    it('both outputs are told apart, and the exit code is known', async () => {
      const told = await run(['sh', '-c', 'echo good; echo bad >&2; exit 7']);
      expect(told).toEqual({ code: 7, out: 'good\n', err: 'bad\n' });
    });

    it('a command that cannot be run is an error', async () => {
      await expect(run(['/no/such/program'])).rejects.toThrow('ENOENT');
    });

    it('the size of a terminal is told', async () => {
      const told: string[] = [];
      world.node.run = (_command, { stdout, error, resize }) => {
        resize.on('data', (part) => {
          told.push(String(part).trim());
          if (told.length < 2) return;
          stdout.end();
          error.end('{"status":"Success"}');
        });
      };
      const sizes = Readable.from([
        { columns: 80, rows: 24 },
        { columns: 100, rows: 30 },
      ]);
      const stdout = new PassThrough();
      await streams.exec(POD, ['sh'], { stdin: new PassThrough(), stdout, tty: true, sizes });
      expect(told.join('')).toBe('{"Width":80,"Height":24}{"Width":100,"Height":30}');
    });

    it('a slow reader stops the process', async () => {
      let written = 0;
      world.node.run = (_command, { stdout, error }) => {
        const block = Buffer.alloc(MEBIBYTE / 4);
        const more = (): void => {
          if (stdout.destroyed || written >= 256 * MEBIBYTE) error.end('{"status":"Success"}');
          else
            stdout.write(block, () => {
              written += block.length;
              more();
            });
        };
        more();
      };
      const stdout = new PassThrough();
      const cancellation = new AbortController();
      const done = streams.exec(POD, ['yes'], { stdout, signal: cancellation.signal }).catch((error: Error) => error);
      let before = -1;
      const isStill = (): boolean => {
        const was = before;
        before = written;
        return was === written && written > 0;
      };
      await expect.poll(isStill, { interval: 200, timeout: 20_000 }).toBe(true);
      expect(written).toBeLessThan(64 * MEBIBYTE);
      cancellation.abort();
      expect(await done).toMatchObject({ message: 'cancelled' });
    });
  });

  it('attaches to what runs already', async () => {
    world.node.speaks = ['v5'];
    world.node.run = (_command, { stdout, error }) => {
      stdout.end('it runs');
      error.end('{"status":"Success"}');
    };
    const stdout = new PassThrough();
    const out = text(stdout);
    expect(await streams.attach(POD, { stdout })).toEqual({ code: 0 });
    stdout.end();
    expect(await out).toBe('it runs');
    expect(world.node.standIn.latest.url).toBe('/attach/default/web/main?output=1');
  });

  it('a node that speaks no protocol of ours is told of in its own words', async () => {
    world.node.speaks = [];
    await expect(run(['ls'])).rejects.toThrow('no such protocol');
  });

  it('a pod that is not there is refused as the plane does', async () => {
    const gone = streams.exec({ namespace: 'default', name: 'gone' }, ['ls'], { stdout: new PassThrough() });
    await expect(gone).rejects.toMatchObject({ reason: 'NotFound', message: 'pods "gone" not found' });
  });

  it('a connection that breaks off is an error, not an end', async () => {
    world.node.speaks = ['v4'];
    world.node.run = (_command, { stdout }) => {
      stdout.write('half', () => void world.node.breakOff());
    };
    await expect(run(['cat'])).rejects.toThrow(/lost|closed|aborted/);
  });

  it('logs are read as they come', async () => {
    world.node.standIn.answer = (_request, response) => {
      response.write('one\n');
      setTimeout(() => response.end('two\n'), 20);
    };
    const wanted = { follow: true, tailLines: 5, timestamps: true };
    expect(await text(await streams.logs({ ...POD, container: 'main' }, wanted))).toBe('one\ntwo\n');
    expect(world.node.standIn.latest.url).toBe(
      '/containerLogs/default/web/main?follow=true&timestamps=true&tailLines=5',
    );
    await expect(streams.logs({ ...POD, container: 'none' })).rejects.toMatchObject({ reason: 'BadRequest' });
  });

  describe.each([
    ['v4', `websocket ${channelV4}`],
    ['spdy', `spdy ${portForward}`],
  ])('ports where a node speaks %s', (offer, spoken) => {
    let echo: Server;

    beforeAll(async () => {
      echo = createServer((socket) => socket.pipe(socket));
      await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
      const address = echo.address();
      world.node.ports = { 8080: typeof address === 'object' && address ? address.port : 0 };
      world.node.speaks = [offer];
    });

    afterAll(() => new Promise((resolve) => echo.close(resolve)));

    it('carry several connections at once', async () => {
      const forwarder = new PortForwarder(transport.dialAs(world.identity), POD, names, systemRuntime);
      const connections = await Promise.all([1, 2, 3].map(() => forwarder.connect(8080)));
      const answers = connections.map(async ({ data }, at) => {
        data.write(`hello ${at}`);
        return String(await new Promise((resolve) => data.once('data', resolve)));
      });
      expect(await Promise.all(answers)).toEqual(['hello 0', 'hello 1', 'hello 2']);
      expect(new Set(world.node.spoken)).toEqual(new Set([spoken]));
      for (const connection of connections) connection.close();
      forwarder.close();
    });

    it('tell when nobody listens there', async () => {
      const forwarder = new PortForwarder(transport.dialAs(world.identity), POD, names, systemRuntime);
      const { data, failure } = await forwarder.connect(9);
      data.resume();
      expect(await failure).toContain('connection refused');
      forwarder.close();
    });
  });

  if (vocabulary === 'kubernetes') {
    describeKubectl('the stand-in is a node to kubectl too', (program) => {
      const kubectl = (environment: Record<string, string> = {}) =>
        new Kubectl(program, world.directory, join(world.directory, 'admin.conf'), environment);

      it('over SPDY', async () => {
        world.node.speaks = ['spdy'];
        expect(await kubectl().run(['exec', 'web', '--', 'sh', '-c', 'echo hello; exit 3'])).toMatchObject({
          code: 3,
          stdout: 'hello\n',
        });
        // Later releases prefer a later version.
        expect(world.node.spoken).toEqual([expect.stringMatching(/^spdy v[45]\.channel/)]);
      });
    });
  }
});
