import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { ManualRuntime } from '../../storage/manual-runtime.ts';
import type { OpenStream } from '../http-transport.ts';
import { watchEvents } from './watch-events.ts';

const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
const added = (resourceVersion: string): string => event('ADDED', { metadata: { name: 'x', resourceVersion } });
const expired = event('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });

/** A plane whose watches go as they are given: what each sends, or the status that it is refused with. */
class Watches {
  readonly runtime = new ManualRuntime();
  readonly opened: string[] = [];
  readonly #watches: (readonly string[] | number | Error)[];

  constructor(...watches: (readonly string[] | number | Error)[]) {
    this.#watches = watches;
  }

  readonly #open: OpenStream = async (target) => {
    this.opened.push(new URL(target, 'http://x').searchParams.get('resourceVersion') ?? '');
    const watch = this.#watches.shift() ?? 500;
    if (watch instanceof Error) throw watch;
    const [status, lines] = typeof watch === 'number' ? [watch, ['{}']] : [200, watch];
    return Object.assign(Readable.from(lines.map((line) => Buffer.from(line))), {
      statusCode: status,
      headers: {},
    }) as never;
  };

  events(resume: boolean) {
    const access = { openStream: this.#open, runtime: this.runtime };
    const kind = { group: '', version: 'v1', plural: 'things', kind: 'Thing', namespaced: false };
    return watchEvents(access, { kind: () => kind, namespace: '' }, { resourceVersion: '1', resume });
  }

  /** The versions that are told, and what ended it. */
  async follow(resume: boolean): Promise<{ told: unknown[]; end: unknown }> {
    const told: unknown[] = [];
    let isOver = false;
    const following = (async () => {
      for await (const { object } of this.events(resume)) told.push(object.metadata.resourceVersion);
    })().then(
      () => 'end',
      (error: { code: number }) => error.code,
    );
    void following.then(() => {
      isOver = true;
    });
    for (let turn = 0; turn < 200 && !isOver; turn++) {
      await new Promise(setImmediate);
      this.runtime.advance(40_000);
    }
    return { told, end: await following };
  }
}

it('a watch ends as the plane ends it', async () => {
  const watches = new Watches([added('2'), added('3')]);
  expect(await watches.follow(false)).toEqual({ told: ['2', '3'], end: 'end' });
});

it('a watch that is resumed goes on after the last version, also of a bookmark, whatever ended it for now', async () => {
  const bookmark = event('BOOKMARK', { metadata: { resourceVersion: '5' } });
  const watches = new Watches([added('2'), bookmark], new Error('broken'), 503, 429, [added('6')], [expired]);
  expect(await watches.follow(true)).toEqual({ told: ['2', '5', '6'], end: 410 });
  expect(watches.opened).toEqual(['1', '5', '5', '5', '5', '6']);
});

it.each([400, 401, 403, 404, 410])('a refusal with %s is for good', async (code) => {
  expect(await new Watches(code).follow(true)).toEqual({ told: [], end: code });
});

it('a broken connection is told to who does not resume', async () => {
  expect(await new Watches(new Error('broken')).follow(false)).toEqual({ told: [], end: 0 });
});
