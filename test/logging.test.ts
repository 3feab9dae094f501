import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../src/api/release.ts';
import type { Logger } from '../src/observe/logging/logger.ts';
import { asNobody, http1Client } from './support/client.ts';
import { endCommands, startCommand } from './support/command.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';

describe('a request', () => {
  let plane: TestServer;
  let runtime: ShiftableRuntime;
  let lines: object[];

  beforeEach(async () => {
    lines = [];
    runtime = new ShiftableRuntime();
    const logger: Logger = {
      error() {},
      warn() {},
      info: (fields, message) => {
        if (message === 'request') lines.push(fields);
      },
    };
    plane = await startTestServer({ logger, runtime });
    onTestFinished(() => plane.close());
  });

  it('is told with who sent it, by what, from where, what for and how long it took', async () => {
    await plane.admin.request('GET', `${maps}?limit=5&labelSelector=a%3Db`, undefined, { 'user-agent': 'tester/1.0' });
    expect(lines).toEqual([
      {
        method: 'GET',
        path: maps,
        query: 'limit=5&labelSelector=a=b',
        verb: 'list',
        status: 200,
        user: 'platform-admin',
        userAgent: 'tester/1.0',
        address: '127.0.0.1',
        auditId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        milliseconds: expect.any(Number),
      },
    ]);
  });

  it('that is refused is told with the reason', async () => {
    const nobody = http1Client(asNobody(plane.connection));
    onTestFinished(() => nobody.close());
    await nobody.request('GET', maps);
    await plane.admin.request('GET', `${maps}/none`);
    await plane.admin.request('GET', `${maps}?limit=many`);
    expect(lines).toMatchObject([
      { status: 403, reason: 'Forbidden', detail: expect.stringContaining('"system:anonymous" cannot list') },
      { status: 404, reason: 'NotFound', detail: 'configmaps "none" not found' },
      { status: 400, reason: 'BadRequest', detail: expect.stringContaining('limit') },
    ]);
  });

  it('that is refused for its document is told with the fields, never with what they hold', async () => {
    await plane.admin.request('POST', maps, { metadata: { name: 'Hush Hush' }, data: { 'hush hush': 'x' } });
    await plane.admin.request('POST', maps, '{ "hush": hush }');
    expect(lines).toMatchObject([
      { status: 422, reason: 'Invalid', fields: expect.stringContaining('metadata.name') },
      { status: 400, reason: 'BadRequest' },
    ]);
    for (const line of lines) expect(line).toMatchObject({ detail: undefined });
    expect(JSON.stringify(lines)).not.toMatch(/Hush Hush|hush }/);
  });

  it('shows of parameters that are not ours only that they were there', async () => {
    const query = '?limit=1&token=hush&access_token=hush&Limit=hush&password=hush';
    await plane.admin.request('GET', maps + query, undefined, { authorization: 'Bearer hush' });
    const hidden = ['token', 'access_token', 'Limit', 'password'].map((name) => `${name}=[redacted]`);
    expect(lines).toMatchObject([{ query: ['limit=1', ...hidden].join('&') }]);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });

  it('does not make a line of any length', async () => {
    await plane.admin.request('GET', `/${'p'.repeat(4_000)}?labelSelector=${'q'.repeat(4_000)}`, undefined, {
      'user-agent': 'u'.repeat(4_000),
    });
    expect(JSON.stringify(lines).length).toBeLessThan(3_000);
  });

  it('that watches is told when it ends, with the time it was open', async () => {
    const watch = await plane.watch(`${maps}?watch=1`);
    await plane.admin.request('POST', maps, { metadata: { name: 'seen' } });
    await watch.take(2);
    expect(lines).toMatchObject([{ verb: 'create' }]);
    runtime.advance(3_600_000);
    watch.close();
    await expect.poll(() => lines).toMatchObject([{ verb: 'create' }, { verb: 'watch', status: 200 }]);
    expect(Reflect.get(lines[1] ?? {}, 'milliseconds')).toBeGreaterThan(3_600_000);
  });
});

describe('the command', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await temporaryDirectory();
  });

  afterEach(endCommands);

  /** What is logged while one request is made, line by line. */
  async function logOf(...args: string[]): Promise<string[]> {
    const command = startCommand(directory, '--storage=memory', ...args);
    await command.ready();
    const client = http1Client(await command.connection());
    onTestFinished(() => client.close());
    await client.request('GET', `${maps}/none`, undefined, { 'user-agent': 'tester/1.0 (a b)' });
    command.signal('SIGTERM');
    const { stderr } = await command.exit;
    return stderr.split('\n').slice(0, -1);
  }

  it('is silent about what goes well', async () => {
    expect(await logOf()).toEqual([]);
  });

  it.each([[], ['--log-format=json']])('writes JSON where nobody reads along %j', async (...format) => {
    const lines = (await logOf('--v=2', ...format))
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg !== 'start');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(lines).toMatchObject([
      {
        level: 'info',
        time,
        msg: 'the server has started',
        version: VERSION,
        storage: 'memory',
        vocabulary: 'platform',
      },
      { level: 'info', time, msg: 'request', status: 404, reason: 'NotFound', user: 'platform-admin' },
      { level: 'info', time, msg: 'the server has stopped' },
    ]);
  });

  it('tells of each stage of a start with its duration from 1 on, and of nothing else that goes well', async () => {
    const lines = (await logOf('--v=1')).map((line) => JSON.parse(line));
    const stage = (name: string) => ({ level: 'info', msg: 'start', stage: name, milliseconds: expect.any(Number) });
    expect(lines).toMatchObject(['load', 'plan', 'store', 'plane', 'listener', 'publication', 'ready'].map(stage));
    const [, ...stages] = lines.map(({ milliseconds }) => milliseconds);
    const ready = stages.pop();
    const sum = stages.reduce((total, one) => total + one, 0);
    // All stages but loading are what the whole took, to the rounding of each.
    expect(Math.abs(ready - sum)).toBeLessThan(1 + 0.1 * stages.length + 0.2 * ready);
  });

  it('tells of slow requests with where the time went, at any level', async () => {
    const lines = (await logOf('--slow-request-threshold=0.001ms')).map((one) => JSON.parse(one));
    // Control loops make requests too.
    const [line, ...more] = lines.filter(({ user }) => user === 'platform-admin');
    expect(line).toMatchObject({
      level: 'warn',
      msg: 'a request took long',
      path: `${maps}/none`,
      verb: 'get',
      status: 404,
    });
    const { milliseconds, authenticationMs = 0, queueMs = 0, authorizationMs = 0, handlingMs = 0 } = line;
    expect(authenticationMs + queueMs + authorizationMs + handlingMs).toBeCloseTo(milliseconds, 1);
    expect(more).toEqual([]);
  });

  it('tells of requests of control loops from 4 on', async () => {
    const lines = (await logOf('--v=4', '--log-format=json')).map((line) => JSON.parse(line));
    const account = 'system:serviceaccount:platform-system:service-account-controller';
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'request', verb: 'create', status: 201, user: account }),
    );
  });

  it('writes text where that is asked for', async () => {
    const lines = await logOf('--v=2', '--log-format=text');
    const [started, request, stopped, ...more] = lines.filter((line) => !/Z info {2}start stage=/.test(line));
    expect(started).toMatch(/^\S+Z info {2}the server has started url=https:\/\/127\.0\.0\.1:\d+ version=/);
    expect(request).toMatch(
      /^\S+Z info {2}request method=GET path=\S+\/none verb=get status=404 reason=NotFound detail="configmaps \\"none\\" not found" user=platform-admin userAgent="tester\/1.0 \(a b\)" address=127\.0\.0\.1 auditId=\S+ milliseconds=[\d.]+$/,
    );
    expect(stopped).toMatch(/ the server has stopped /);
    expect(more).toEqual([]);
  });
});
