import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import type { InformedPlane, OpenByteStream } from '../../src/client/informing/informed-plane.ts';
import { PlaneClient, type PlaneRequest } from '../../src/client/plane-client.ts';
import type { ServedKind } from '../../src/client/served-kind.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { ShiftableRuntime } from './shiftable-runtime.ts';

export const THINGS: ServedKind = {
  group: '',
  plural: 'things',
  version: 'v1',
  kind: 'Thing',
  namespaced: true,
  verbs: ['list', 'watch'],
};

export const thing = (name: string, version: number, note = ''): object => ({
  metadata: { namespace: 'n', name, resourceVersion: String(version) },
  note,
});

interface OpenedWatch {
  readonly target: URL;
  readonly accept: string;
  readonly stream: PassThrough;
}

/** A plane that answers what a test says, in order. It knows of no `sendInitialEvents` unless it is told to. */
export class ScriptedPlane implements InformedPlane {
  readonly runtime = new ShiftableRuntime();
  readonly vocabulary = vocabularies.platform;
  readonly errors: unknown[] = [];
  readonly requests: PlaneRequest[] = [];
  /** Those that were not refused for `sendInitialEvents`. */
  readonly watches: OpenedWatch[] = [];
  readonly streams: boolean;
  /** The status of the next watch, 200 unless given. */
  nextStatus = 200;
  /** Refusals of watches begin, and do not end. */
  refusalsHang = false;
  readonly #pages: (object | Error)[] = [];

  constructor({ streams = false }: { readonly streams?: boolean } = {}) {
    this.streams = streams;
  }

  readonly client = new PlaneClient(async (request) => {
    this.requests.push(request);
    const page = this.#pages.shift();
    if (!page || page instanceof Error) throw page ?? new Error('nobody answers');
    const status = 'code' in page ? Number(page.code) : 200;
    return { status, body: Buffer.from(JSON.stringify(page)) };
  }, 'meta');

  readonly openStream: OpenByteStream = async (path, accept) => {
    const target = new URL(path, 'http://plane');
    const isRefused = target.searchParams.has('sendInitialEvents') && !this.streams;
    const statusCode = isRefused ? 422 : this.nextStatus;
    const stream = Object.assign(new PassThrough(), { statusCode });
    if (!isRefused) {
      this.watches.push({ target, accept, stream });
      this.nextStatus = 200;
    }
    if (statusCode >= 400 && this.refusalsHang) stream.write('{');
    else if (statusCode >= 400) {
      stream.end(JSON.stringify({ reason: isRefused ? 'Invalid' : 'Expired', code: statusCode }));
    }
    return stream;
  };

  onError(_resource: string, error: unknown): void {
    this.errors.push(error);
  }

  page(version: number, items: readonly object[], next = ''): void {
    this.#pages.push({ metadata: { resourceVersion: String(version), continue: next }, items });
  }

  refusal(refused: object | Error): void {
    this.#pages.push(refused);
  }

  send(type: string, object: object): void {
    this.watches.at(-1)?.stream.write(`${JSON.stringify({ type, object })}\n`);
  }

  /** The bookmark after the state that a watch began with. */
  sendInitialEnd(version: number): void {
    const annotations = { [this.vocabulary.annotations.initialEventsEnd]: 'true' };
    this.send('BOOKMARK', { metadata: { resourceVersion: String(version), annotations } });
  }

  /** Resolves when so many watches have been opened. */
  async watched(count: number): Promise<void> {
    await expect.poll(() => this.watches.length).toBe(count);
  }
}
