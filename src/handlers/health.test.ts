import { describe, expect, it } from 'vitest';
import { ManualRuntime } from '../storage/manual-runtime.ts';
import { HEALTH_ENDPOINTS, type HealthCheck, HealthChecks, type HealthOptions, healthHandler } from './health.ts';
import { StartStep, storageCheck } from './standard-checks.ts';
import { contextFor } from './test-context.ts';

const broken: HealthCheck = {
  name: 'etcd',
  endpoints: HEALTH_ENDPOINTS,
  check: () => Promise.reject(new Error('no leader')),
};

function health(checks: readonly HealthCheck[] = [], options: Partial<HealthOptions> = {}) {
  const runtime = new ManualRuntime();
  const all = new HealthChecks({ runtime, ...options });
  all.add(...checks);
  const handler = healthHandler(all);
  const ask = async (target: string, method = 'GET') => {
    const reply = await handler(contextFor(method, target));
    return reply && `${reply.status} ${Buffer.isBuffer(reply.body) ? reply.body : ''}`;
  };
  return { runtime, all, ask };
}

describe('health', () => {
  it.each([
    ['/healthz', '200 ok'],
    ['/livez', '200 ok'],
    ['/readyz', '200 ok'],
    ['/livez?verbose', '200 [+]ping ok\n[+]log ok\nlivez check passed\n'],
    ['/readyz?verbose=0', '200 [+]ping ok\n[+]log ok\n[+]shutdown ok\nreadyz check passed\n'],
    ['/livez?verbose&exclude=ping', '200 [+]ping excluded: ok\n[+]log ok\nlivez check passed\n'],
    ['/livez?verbose&exclude=ping&exclude=log', '200 [+]ping excluded: ok\n[+]log excluded: ok\nlivez check passed\n'],
    [
      '/livez?verbose&exclude=z&exclude=a',
      '200 [+]ping ok\n[+]log ok\nwarn: some health checks cannot be excluded: no matches for "a","z"\nlivez check passed\n',
    ],
    ['/readyz?exclude=nothing', '200 ok'],
    ['/livez/ping', '200 ok'],
    ['/readyz/shutdown', '200 ok'],
    ['/livez/shutdown', undefined],
    ['/livez/nothing', undefined],
    ['/livez/', undefined],
    ['/livezz', undefined],
    ['/xlivez', undefined],
  ])('%s answers %j when all is well', async (target, answer) => {
    expect(await health().ask(target)).toBe(answer);
  });

  it.each([
    ['/livez', '500 [+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\nlivez check failed\n'],
    ['/livez?exclude=etcd', '200 ok'],
    ['/livez/etcd', '500 internal server error: no leader\n'],
    ['/livez/ping', '200 ok'],
  ])('%s answers %j when a check fails', async (target, answer) => {
    expect(await health([broken]).ask(target)).toBe(answer);
  });

  it('tells the operator why a check failed', async () => {
    const heard: unknown[] = [];
    const { ask } = health([broken], { onFailure: (...failure) => heard.push(failure) });
    await ask('/readyz');
    expect(heard).toEqual([['readyz', 'etcd', new Error('no leader')]]);
  });

  it('answers any method', async () => {
    expect(await health().ask('/livez', 'POST')).toBe('200 ok');
  });

  it('is lost for readyz alone once a shutdown has begun', async () => {
    const { all, ask } = health();
    all.beginShutdown();
    expect(await ask('/readyz')).toBe(
      '500 [+]ping ok\n[+]log ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n',
    );
    expect(await ask('/livez')).toBe('200 ok');
    expect(await ask('/healthz')).toBe('200 ok');
  });

  it('has a check once, whoever adds it again', async () => {
    const { ask } = health([{ ...broken, name: 'ping' }]);
    expect(await ask('/livez')).toBe('500 [-]ping failed: reason withheld\n[+]log ok\nlivez check failed\n');
  });
});

describe('the store', () => {
  const stores: [string, () => Promise<number>, string][] = [
    ['answers', () => Promise.resolve(7), '200 ok'],
    ['refuses', () => Promise.reject(new Error('closed')), '500 internal server error: closed\n'],
    ['is silent', () => new Promise(() => {}), '500 internal server error: no answer within 50 ms\n'],
  ];

  it.each(stores)('is as healthy as it %s', async (_, current, answer) => {
    const runtime = new ManualRuntime();
    const { ask } = health([storageCheck({ current }, runtime, 50)]);
    const asked = ask('/healthz/etcd');
    await new Promise(setImmediate);
    runtime.advance(50);
    expect(await asked).toBe(answer);
    expect(runtime.timers).toBe(0);
  });
});

describe('unfinished start-up work', () => {
  it('is overlooked by livez for as long as the grace period lasts, and by nothing else', async () => {
    const hook = new StartStep('poststarthook/policy/bootstrap', HEALTH_ENDPOINTS);
    const { runtime, ask } = health([hook], { livezGraceMs: 1000 });
    runtime.advance(999);
    expect(await ask('/livez')).toBe('200 ok');
    expect(await ask('/livez/poststarthook/policy/bootstrap')).toBe('200 ok');
    expect(await ask('/readyz')).toMatch(/^500 /);
    expect(await ask('/healthz')).toMatch(/^500 /);
    runtime.advance(1);
    expect(await ask('/livez')).toMatch(/^500 /);
    hook.finished();
    expect(await ask('/livez')).toBe('200 ok');
    expect(await ask('/readyz')).toBe('200 ok');
  });

  it('fails livez at once without a grace period', async () => {
    expect(await health([new StartStep('x', HEALTH_ENDPOINTS)]).ask('/livez')).toMatch(/^500 /);
  });
});
