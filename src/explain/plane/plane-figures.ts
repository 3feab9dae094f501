import { type Cache, registerCache } from '../../bounds/caches.ts';
import type { VirtualResource } from '../../handlers/actions/virtual-resource.ts';
import { PlaneFigures, type PlaneSeries } from '../../kinds/explain/plane-figures.ts';
import type { Runtime, Timer } from '../../runtime/runtime.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { type CertificateUse, certificatesIn } from './certificates.ts';
import { FigureRows } from './figure-rows.ts';
import type { Topic } from './topic.ts';

const STEP_SECONDS = 10;
/** An hour of them. */
const MOMENTS = 360;
/** A minute of them. */
const LATEST_MOMENTS = 6;

const LATEST = 'latest';
const CERTIFICATES = 'certificates';

export interface PlaneFiguresOptions {
  readonly runtime: Runtime;
  readonly group: string;
  readonly topics: readonly Topic[];
  /** The certificates that count now. */
  certificates(): readonly CertificateUse[];
}

/**
 * What the plane did over the last hour, looked up every few seconds from what is counted anyway: no request costs more
 * for it. Memory is bounded by the rows that each topic keeps.
 */
export class PlaneFiguresStore implements Cache, VirtualResource<PlaneFigures> {
  readonly name = 'plane figures';
  readonly plural = 'planefigures';
  readonly group: string;
  readonly #options: PlaneFiguresOptions;
  readonly #kept: readonly { readonly topic: Topic; readonly rows: FigureRows }[];
  /** Seconds since the epoch, by moment. */
  readonly #times = new Float64Array(MOMENTS);
  #looks = 0;
  #lookedAt: number;
  #timer: Timer | undefined;

  constructor(options: PlaneFiguresOptions) {
    this.group = options.group;
    this.#options = options;
    this.#kept = options.topics.map((topic) => ({ topic, rows: new FigureRows(topic.figures, topic.most, MOMENTS) }));
    this.#lookedAt = options.runtime.monotonic();
    registerCache(this);
    this.#lookLater();
  }

  get bytes(): number {
    return this.#kept.reduce((sum, { rows }) => sum + rows.bytes, this.#times.byteLength);
  }

  get entries(): number {
    return this.#kept.reduce((sum, { rows }) => sum + rows.size, 0);
  }

  /** What is older than an hour goes by itself. */
  age(): void {}

  close(): void {
    this.#timer?.cancel();
  }

  objects(): Promise<readonly PlaneFigures[]> {
    return Promise.resolve(this.#names().map((name) => this.#named(name)));
  }

  find(name: string): Promise<PlaneFigures | undefined> {
    return Promise.resolve(this.#names().includes(name) ? this.#named(name) : undefined);
  }

  #names(): string[] {
    return [...new Set([LATEST, CERTIFICATES, ...this.#kept.map(({ topic }) => topic.name)])].toSorted();
  }

  #lookLater(): void {
    this.#timer = this.#options.runtime.after(STEP_SECONDS * 1000, () => {
      this.#look();
      this.#lookLater();
    });
  }

  #look(): void {
    const { runtime } = this.#options;
    const now = runtime.monotonic();
    // A busy process looks later than it should: rates are those of the time that has really passed.
    const seconds = Math.max(0.001, (now - this.#lookedAt) / 1000);
    this.#lookedAt = now;
    const moment = this.#looks++ % MOMENTS;
    this.#times[moment] = Math.round(runtime.now() / 1000);
    for (const { topic, rows } of this.#kept) rows.record(moment, topic.look(seconds));
  }

  #named(name: string): PlaneFigures {
    const isLatest = name === LATEST;
    const moments = this.#moments(isLatest ? LATEST_MOMENTS : MOMENTS);
    const kept = this.#kept.filter(({ topic }) => isLatest || topic.name === name);
    const uses = name === CERTIFICATES ? this.#options.certificates() : [];
    const figures = {
      kind: 'PlaneFigures',
      apiVersion: `${this.group}/v1alpha1`,
      metadata: { name },
      stepSeconds: STEP_SECONDS,
      times: name === CERTIFICATES ? [] : moments.map((moment) => this.#times[moment] ?? 0),
      series: kept.flatMap(({ topic, rows }) => seriesOf(topic.name, rows, moments)),
      certificates: certificatesIn(uses),
    };
    return canonicalise(PlaneFigures, figures).value;
  }

  /** The last ones, oldest first. */
  #moments(most: number): number[] {
    const count = Math.min(this.#looks, most);
    return Array.from({ length: count }, (_, at) => (this.#looks - count + at) % MOMENTS);
  }
}

const seriesOf = (topic: string, kept: FigureRows, moments: readonly number[]): PlaneSeries[] =>
  kept.rows().flatMap(({ labels, values }) =>
    kept.figures.map(({ name, unit }, at) => ({
      topic,
      figure: name,
      unit,
      labels,
      values: moments.map((moment) => rounded(values[at]?.[moment] ?? 0)),
    })),
  );

/** To three decimals: more than these are not known, and nobody would read them. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;
