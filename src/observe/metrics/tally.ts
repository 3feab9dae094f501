import type { Histogram } from './distributions.ts';
import type { Cell, Recorder } from './recorder.ts';

/** What requests are told apart by, the status code aside. Values are bounded, whatever clients send. */
export interface RequestLabels {
  readonly verb: string;
  readonly dryRun: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
}

const COMPONENT = 'apiserver';

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'APPLY']);

/** All that is counted for requests with the same labels. */
export class Tally {
  readonly labels: RequestLabels;
  readonly duration: Histogram;
  /** The same without the time that webhooks took. */
  readonly ownDuration: Histogram;
  /** Of answers to reads alone. */
  readonly sizes: Histogram | undefined;
  /** Whether such requests bring an object, or a part of one. */
  readonly isWrite: boolean;
  readonly #recorder: Recorder;
  readonly #byCode = new Map<number, Cell>();
  #open: Cell | undefined;
  #own: Cell | undefined;

  constructor(recorder: Recorder, labels: RequestLabels) {
    this.labels = labels;
    this.#recorder = recorder;
    this.duration = recorder.histogram('apiserver_request_duration_seconds', [
      labels.verb,
      labels.dryRun,
      ...targetOf(labels),
    ]);
    const target = [labels.verb, ...targetOf(labels)];
    this.isWrite = labels.resource !== '' && WRITES.has(labels.verb);
    this.ownDuration = recorder.histogram('apiserver_request_slo_duration_seconds', target);
    this.sizes =
      labels.verb === 'GET' || labels.verb === 'LIST'
        ? recorder.histogram('apiserver_response_sizes', target)
        : undefined;
  }

  count(code: number): void {
    const cell = this.#byCode.get(code) ?? this.#counterFor(code);
    cell.value++;
  }

  /** How many streams are open; made on first use, because most requests are none. */
  get open(): Cell {
    const { labels } = this;
    this.#open ??= this.#recorder.number('apiserver_longrunning_requests', [labels.verb, ...targetOf(labels)]);
    return this.#open;
  }

  /** How many of them the server sent to itself. */
  get own(): Cell {
    const { verb, resource, subresource } = this.labels;
    this.#own ??= this.#recorder.number('apiserver_selfrequest_total', [verb, resource, subresource]);
    return this.#own;
  }

  /** The server ended a request to protect itself. */
  terminated(code: number): void {
    const labels = [this.labels.verb, ...targetOf(this.labels), String(code)];
    this.#recorder.number('apiserver_request_terminations_total', labels).value++;
  }

  /** The server broke an answer off. */
  aborted(): void {
    const labels = [this.labels.verb, ...targetOf(this.labels).slice(0, -1)];
    this.#recorder.number('apiserver_request_aborts_total', labels).value++;
  }

  #counterFor(code: number): Cell {
    const { verb, dryRun } = this.labels;
    const values = [verb, dryRun, ...targetOf(this.labels), String(code)];
    const cell = this.#recorder.number('apiserver_request_total', values);
    this.#byCode.set(code, cell);
    return cell;
  }
}

const targetOf = ({ group, version, resource, subresource, scope }: RequestLabels): string[] => [
  group,
  version,
  resource,
  subresource,
  scope,
  COMPONENT,
];

/**
 * Tallies by their labels. Looked up for every request, so without putting a key together: the resource leads to a
 * short list, which is searched.
 */
export class Tallies {
  readonly #byResource = new Map<string, Tally[]>();

  find(labels: RequestLabels): Tally | undefined {
    const candidates = this.#byResource.get(labels.resource);
    if (candidates === undefined) return undefined;
    for (const tally of candidates) if (isSame(tally.labels, labels)) return tally;
    return undefined;
  }

  add(tally: Tally): void {
    const { resource } = tally.labels;
    const candidates = this.#byResource.get(resource);
    if (candidates) candidates.push(tally);
    else this.#byResource.set(resource, [tally]);
  }
}

const isSame = (a: RequestLabels, b: RequestLabels): boolean =>
  a.verb === b.verb &&
  a.scope === b.scope &&
  a.dryRun === b.dryRun &&
  a.subresource === b.subresource &&
  a.version === b.version &&
  a.group === b.group &&
  a.resource === b.resource;
