import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { VocabularyName } from '../../src/vocabulary/vocabulary.ts';

/** Exchanges with the original server, which stand beside the checkout on some machines. */
const corpus = fileURLToPath(new URL('../../../shared/conformance', import.meta.url));

export const recordingsAreHere = existsSync(join(corpus, 'scenarios', 'expected'));

export interface Json {
  readonly [name: string]: unknown;
}

/** A request that was sent, and what was answered, in one of the vocabularies. */
export interface Exchange {
  readonly scenario: string;
  readonly step: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** How the body is encoded: a form of patch, or undefined for JSON. */
  readonly type: string | undefined;
  readonly body: unknown;
  /** Whether it says more about the request than the above. */
  readonly isPlain: boolean;
  readonly reply: RecordedReply;
  /** What the watch told that the request opened. */
  readonly events: readonly Json[] | undefined;
}

export interface RecordedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** Absent where it was of no interest. */
  readonly body: unknown;
}

interface Step extends Json {
  readonly name?: string;
  readonly path?: string;
  readonly method?: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly watch?: string;
  readonly events?: string;
}

interface RecordedStep {
  readonly step: string;
  readonly reply?: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly '~warnings'?: readonly string[];
    readonly body?: unknown;
    readonly events?: readonly Json[];
  };
}

/** What a step may say of a request that a client cannot be asked to send, such as a header. */
const BEYOND_PLAIN = ['headers', 'hook', 'calls', 'fields'];

/** All exchanges, scenario by scenario. What was made up for a run is called by the name of its variable. */
export async function recordedExchanges(vocabulary: VocabularyName): Promise<readonly Exchange[]> {
  const { expand } = await module<{ expand(steps: readonly Step[]): readonly Step[] }>('bind.mjs');
  const { vocabularies } = await module<{ vocabularies: Record<string, { out(text: string): string }> }>(
    'vocabulary.mjs',
  );
  const translate = <T>(value: T): T => JSON.parse(vocabularies[vocabulary]?.out(bound(JSON.stringify(value))) ?? '');
  const files = readdirSync(join(corpus, 'scenarios')).filter((name) => name.endsWith('.json'));
  return files.flatMap((file) => {
    const { steps, defaults = {} } = read<{ steps: readonly Step[]; defaults?: Json }>('scenarios', file);
    const { steps: recorded } = read<{ steps: readonly RecordedStep[] }>('scenarios', 'expected', file);
    const played = expand(steps).map((step) => ({ ...defaults, ...step }));
    return translate(exchangesOf(basename(file, '.json'), played, recorded));
  });
}

const module = <T>(name: string): Promise<T> => import(pathToFileURL(join(corpus, 'lib', name)).href) as Promise<T>;

const read = <T>(...path: string[]): T => JSON.parse(readFileSync(join(corpus, ...path), 'utf8')) as T;

const bound = (text: string): string =>
  text
    .replace(/\$\{([^}*]+)\*(\d+)\}/g, (_, part: string, times: string) => part.repeat(Number(times)))
    .replace(/\$\{([\w-]+)\}/g, '$1');

function exchangesOf(scenario: string, steps: readonly Step[], recorded: readonly RecordedStep[]): readonly Exchange[] {
  // Pauses are not recorded.
  const sent = steps.filter((step) => !('sleep' in step) && !('close' in step) && !('hook' in step));
  const answers = recorded.filter(({ reply }) => reply);
  if (sent.length !== answers.length) return [];
  return sent.flatMap((step, at) => {
    const answer = answers[at];
    if (!answer?.reply?.status || step.path === undefined) return [];
    const told = sent.flatMap((other, index) => (step.watch && other.events === step.watch ? [answers[index]] : []));
    return [
      {
        scenario,
        step: answer.step,
        method: step.method ?? 'GET',
        path: step.path,
        query: Object.fromEntries(Object.entries(step.query ?? {}).map(([name, value]) => [name, String(value)])),
        type: step.type as string | undefined,
        body: step.body,
        isPlain: !BEYOND_PLAIN.some((name) => name in step) && !JSON.stringify(step.body ?? {}).includes('"$'),
        reply: {
          status: answer.reply.status,
          headers: answer.reply.headers ?? {},
          warnings: answer.reply['~warnings'] ?? [],
          body: whole(answer.reply.body),
        },
        events: step.watch
          ? told.flatMap((one) => (one?.reply?.events ?? []).map((event) => whole(event) as Json))
          : undefined,
      },
    ];
  });
}

/** Recordings name the parts of an answer by paths, and hints by a tilde. */
function whole(recorded: unknown): unknown {
  if (typeof recorded !== 'object' || recorded === null || Array.isArray(recorded)) return recorded;
  const made: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(recorded)) {
    if (value !== '<absent>') put(made, path.replace(/^~/, ''), value);
  }
  if (typeof made.object === 'object') made.object = { metadata: {}, ...(whole(made.object) as Json) };
  return made;
}

function put(root: Record<string | number, unknown>, path: string, value: unknown): void {
  const parts = [...path.matchAll(/\["([^"]*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, name]) =>
    index === undefined ? (quoted ?? name ?? '') : Number(index),
  );
  let parent = root;
  for (const [at, part] of parts.entries()) {
    if (at === parts.length - 1) parent[part] = value;
    else {
      parent[part] ??= typeof parts[at + 1] === 'number' ? [] : {};
      parent = parent[part] as Record<string | number, unknown>;
    }
  }
}
