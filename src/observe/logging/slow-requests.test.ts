import { beforeEach, describe, expect, it } from 'vitest';
import { contextFor } from '../../handlers/test-context.ts';
import type { Reply } from '../../http/message.ts';
import { RequestContext } from '../../request/context.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import type { Logger } from './logger.ts';
import { requestTimes, SlowRequests } from './slow-requests.ts';

const REPLY: Reply = { status: 200, headers: [], body: Buffer.alloc(0) };

const received = (target: string, at: number): RequestContext =>
  new RequestContext(contextFor('GET', target).request, 'id', at);

describe('the times of a request', () => {
  it('are those between the beginnings of its parts, and of webhooks within the last', () => {
    const context = received('/api/v1/pods', 100);
    Object.assign(context, { bodyFrom: 110, queueFrom: 130, authorizationFrom: 160, handlingFrom: 165, webhookMs: 20 });
    expect(requestTimes(context, 200)).toEqual({
      authenticationMs: 10,
      bodyMs: 20,
      queueMs: 30,
      authorizationMs: 5,
      webhooksMs: 20,
      handlingMs: 15,
    });
  });

  it('end with the part that the request was in', () => {
    const context = received('/api/v1/pods', 0);
    expect(requestTimes(context, 40)).toEqual({ authenticationMs: 40 });
    Object.assign(context, { queueFrom: 10 });
    expect(requestTimes(context, 40)).toEqual({ authenticationMs: 10, queueMs: 30 });
  });
});

describe('slow requests', () => {
  let now: number;
  let lines: { readonly untold?: number; readonly milliseconds: number }[];

  beforeEach(() => {
    now = 0;
    lines = [];
  });

  const watcher = (threshold: number): SlowRequests => {
    const warn = (fields: object): void => {
      lines.push(fields as (typeof lines)[number]);
    };
    const logger: Logger = { error() {}, info() {}, warn };
    return new SlowRequests(logger, { ...systemRuntime, monotonic: () => now }, threshold);
  };

  const ended = (watched: SlowRequests, took: number, target = '/api/v1/pods'): void => {
    const context = received(target, now);
    now += took;
    watched.ended(context, REPLY);
  };

  it('are those that take as long as the threshold', () => {
    const watched = watcher(1_000);
    ended(watched, 999);
    ended(watched, 1_000);
    expect(lines).toMatchObject([{ milliseconds: 1_000 }]);
  });

  it('are not those that last as long as their client likes', () => {
    const watched = watcher(1_000);
    for (const target of [
      '/api/v1/pods?watch=1',
      '/api/v1/namespaces/a/pods/b/log',
      '/api/v1/namespaces/a/pods/b/proxy',
    ]) {
      ended(watched, 5_000, target);
    }
    expect(lines).toEqual([]);
  });

  it('are not those whose client sends its body slowly', () => {
    const watched = watcher(1_000);
    const context = received('/api/v1/pods', 0);
    Object.assign(context, { bodyFrom: 10, queueFrom: 5_000 });
    now = 5_900;
    watched.ended(context, REPLY);
    expect(lines).toEqual([]);
    now = 6_100;
    watched.ended(context, REPLY);
    expect(lines).toMatchObject([{ milliseconds: 6_100, bodyMs: 4_990 }]);
  });

  it('are none where the threshold is 0', () => {
    ended(watcher(0), 1e9);
    expect(lines).toEqual([]);
  });

  it('are told of twenty times in ten seconds, and then how many were left out', () => {
    const watched = watcher(1);
    for (let i = 0; i < 100; i++) ended(watched, 1);
    expect(lines).toHaveLength(20);
    now += 10_000;
    ended(watched, 1);
    ended(watched, 1);
    expect(lines.slice(20).map(({ untold }) => untold)).toEqual([80, undefined]);
  });
});
