import { describe, expect, it } from 'vitest';
import { NotYet } from '../../client/controlling/work-queue.ts';
import { PlaneClient, type PlaneRequest, type Send } from '../../client/plane-client.ts';
import type { ServedKind } from '../../client/served-kind.ts';
import { ManualRuntime } from '../../storage/manual-runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import type { LoopPlane } from '../loop.ts';
import { namespaceDeletion } from './namespace-deletion.ts';

const VERBS = ['delete', 'deletecollection', 'get', 'list'];
const kindOf = (plural: string, group = '', verbs = VERBS): ServedKind => ({
  group,
  version: 'v1',
  plural,
  kind: plural,
  namespaced: plural !== 'namespaces',
  verbs,
});

const REASONS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  410: 'Expired',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
};

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

/** A plane with one namespace, which is going, as a loop sees it. */
class GoingPlane {
  readonly runtime = new ManualRuntime();
  readonly vocabulary = vocabularies.platform;
  readonly requests: string[] = [];
  /** Names by resource. */
  readonly content = new Map<string, Set<string>>();
  readonly undiscovered = new Map<string, string>();
  /** Of all content: where there are any, what is deleted stays. */
  readonly finalizers: string[] = [];
  readonly #deleted = new Set<string>();
  #followed = 0;
  readonly served: ServedKind[] = [kindOf('namespaces')];
  /** The code of a refusal. */
  refuse: (request: PlaneRequest) => number | undefined = () => undefined;
  namespace: {
    spec: { finalizers?: string[] };
    status: { conditions?: Condition[] };
    metadata: object;
    kind: string;
    apiVersion: string;
  };
  mostAtOnce = 0;
  #atOnce = 0;

  constructor() {
    const deletionTimestamp = new Date(this.runtime.now()).toISOString();
    const metadata = { name: 'going', uid: 'u', deletionTimestamp };
    const spec = { finalizers: [this.vocabulary.finalizers.namespace] };
    this.namespace = { kind: 'Namespace', apiVersion: 'v1', metadata, spec, status: {} };
  }

  serve(plural: string, names: readonly string[], { group = '', verbs = VERBS } = {}): void {
    this.served.push(kindOf(plural, group, verbs));
    this.content.set(plural, new Set(names));
  }

  /** The loop as it begins. */
  begin() {
    const plane: LoopPlane = {
      runtime: this.runtime,
      vocabulary: this.vocabulary,
      known: {
        get: <T>() => this.namespace as T,
        each: () => [],
        follow: ({ plural }, { onSet }) => {
          for (const name of this.content.get(plural) ?? [])
            onSet?.({ kind: '', apiVersion: '', metadata: { name, creationTimestamp: null } });
          this.#followed++;
          return { close: () => this.#followed-- };
        },
        followOwnership: () => ({
          whenComplete: () => undefined,
          uidOf: () => undefined,
          namespaceOf: () => undefined,
          close() {},
        }),
      },
      kinds: {
        all: () => this.served,
        find: ({ plural }) => this.served.find((kind) => kind.plural === plural),
        named: () => undefined,
        undiscovered: () => this.undiscovered,
        follow: () => ({ close() {} }),
      },
      client: new PlaneClient(this.#send, 'meta'),
    };
    const later: string[] = [];
    const queue = { add: (key: string) => later.push(key), addAfter: (key: string) => later.push(key) };
    const { handle, close } = namespaceDeletion.begin(plane, queue);
    return { handle: () => handle('going'), close, later };
  }

  readonly #send: Send = async (request) => {
    this.requests.push(`${request.method} ${request.target.replace(/^.*going\/?/, '')}`);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    this.#atOnce--;
    const code = this.refuse(request);
    const reason = REASONS[code ?? 0];
    const [status, body] = code
      ? [code, { reason, message: `refused with ${code}`, code }]
      : [200, this.#answer(request)];
    return { status, body: Buffer.from(JSON.stringify(body)) };
  };

  #answer({ method, target, body = '' }: PlaneRequest): object {
    const [, plural = '', name] = /going\/(\w+)(?:\/(\w+))?/.exec(target) ?? [];
    if (method === 'PUT') {
      this.namespace = JSON.parse(body);
      return this.namespace;
    }
    const names = this.content.get(plural) ?? new Set();
    const [, limit] = /limit=(\d+)/.exec(target) ?? [];
    const listed = [...names].slice(0, Number(limit ?? names.size));
    const isMore = method === 'DELETE' && names.size > listed.length;
    if (method === 'DELETE') for (const one of name ? [name] : listed) this.#delete(names, one);
    const items = listed.map((one) => ({ metadata: this.#metadataOf(one), spec: {}, status: {} }));
    return { items, metadata: { continue: isMore ? 'more' : '' } };
  }

  #delete(names: Set<string>, name: string): void {
    if (this.finalizers.length === 0) names.delete(name);
    else this.#deleted.add(name);
  }

  #metadataOf(name: string): object {
    const deletionTimestamp = this.#deleted.has(name) ? new Date(this.runtime.now()).toISOString() : undefined;
    return { name, uid: name, finalizers: this.finalizers, deletionTimestamp };
  }

  condition(type: string): string {
    const found = this.namespace.status.conditions?.find((one) => one.type === type);
    return `${found?.status} ${found?.message}`;
  }

  /** How many kinds are followed. */
  get followed(): number {
    return this.#followed;
  }

  get isFinalized(): boolean {
    return this.namespace.spec.finalizers?.length === 0;
  }
}

describe('a namespace that is going', () => {
  it('is let go of once everything is gone, some kinds at a time', async () => {
    const plane = new GoingPlane();
    const plurals = ['pods', 'secrets', ...Array.from({ length: 20 }, (_, at) => `kind${at}s`)];
    for (const plural of plurals) plane.serve(plural, ['a', 'b']);
    const { handle, later } = plane.begin();
    await handle();
    expect([plane.isFinalized, later]).toEqual([true, []]);
    expect(plane.mostAtOnce).toBe(4);
    expect(plurals.filter((plural) => plane.content.get(plural)?.size)).toEqual([]);
  });

  it('stays when some of what is served cannot be discovered, and says so', async () => {
    const plane = new GoingPlane();
    plane.serve('secrets', ['a']);
    plane.undiscovered.set('metrics.example.com/v1', 'the server is currently unable to handle the request');
    const { handle } = plane.begin();
    await expect(handle()).rejects.toThrow('currently unable');
    expect(plane.content.get('secrets')?.size).toBe(0);
    expect(plane.condition('NamespaceDeletionDiscoveryFailure')).toBe(
      'True Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: ' +
        'metrics.example.com/v1: the server is currently unable to handle the request',
    );
    expect(plane.isFinalized).toBe(false);
    plane.undiscovered.clear();
    await handle();
    expect(plane.isFinalized).toBe(true);
    expect(plane.condition('NamespaceDeletionDiscoveryFailure')).toBe('False All resources successfully discovered');
  });

  it('has objects deleted one by one where a kind has no other way', async () => {
    const plane = new GoingPlane();
    plane.serve('widgets', ['a', 'b'], { verbs: ['delete', 'list'] });
    await plane.begin().handle();
    const deletions = plane.requests.filter((request) => request.startsWith('DELETE'));
    expect(deletions).toEqual(['DELETE widgets/a', 'DELETE widgets/b']);
    expect(plane.isFinalized).toBe(true);
  });

  it('loses all objects but the one that may not be deleted, and says why that stays', async () => {
    const plane = new GoingPlane();
    plane.serve('widgets', ['a', 'b', 'c']);
    plane.refuse = ({ method, target }) => (method === 'DELETE' && !/widgets\/[ac]/.test(target) ? 403 : undefined);
    const { handle } = plane.begin();
    await expect(handle()).rejects.toThrow('refused with 403');
    expect([...(plane.content.get('widgets') ?? [])]).toEqual(['b']);
    expect(plane.condition('NamespaceDeletionContentFailure')).toBe(
      'True Failed to delete all resource types, 1 remaining: refused with 403',
    );
    expect(plane.condition('NamespaceContentRemaining')).toBe(
      'True Some resources are remaining: widgets. has 1 resource instances',
    );
    plane.refuse = () => undefined;
    await handle();
    expect(plane.isFinalized).toBe(true);
  });

  it('does not go through objects one by one when the plane has too much to do', async () => {
    const plane = new GoingPlane();
    plane.serve('widgets', ['a', 'b']);
    plane.refuse = ({ method }) => (method === 'DELETE' ? 429 : undefined);
    await expect(plane.begin().handle()).rejects.toThrow('refused with 429');
    expect(plane.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
  });

  it('is emptied in one go when the pages are no longer known', async () => {
    const plane = new GoingPlane();
    plane.serve(
      'widgets',
      Array.from({ length: 700 }, (_, at) => `w${at}`),
    );
    plane.refuse = ({ target }) => (target.includes('continue=') ? 410 : undefined);
    await plane.begin().handle();
    const deletions = plane.requests.filter((request) => request.startsWith('DELETE'));
    expect(deletions).toEqual(['DELETE widgets?limit=500', 'DELETE widgets?limit=500&continue=more', 'DELETE widgets']);
    expect(plane.isFinalized).toBe(true);
  });

  it('is asked to go once, and from then on only counted', async () => {
    const plane = new GoingPlane();
    plane.serve('widgets', ['a', 'b']);
    plane.finalizers.push('example.com/x');
    const { handle, later, close } = plane.begin();
    await handle();
    await handle();
    expect(plane.requests.filter((request) => request.startsWith('DELETE'))).toEqual(['DELETE widgets?limit=500']);
    expect(plane.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(1);
    expect(plane.condition('NamespaceFinalizersRemaining')).toBe(
      'True Some content in the namespace has finalizers remaining: example.com/x in 2 resource instances',
    );
    expect([later, plane.followed]).toEqual([['going', 'going'], 1]);
    close?.();
    expect(plane.followed).toBe(0);
  });

  it('tells a problem with a word in the log, and not that it only waits', async () => {
    const plane = new GoingPlane();
    plane.serve('pods', ['a']);
    plane.refuse = ({ method }) => (method === 'DELETE' ? 503 : undefined);
    await expect(plane.begin().handle()).rejects.not.toBeInstanceOf(NotYet);
  });
});
