import { ApiError } from '../../api/errors.ts';
import { jsonInSteps } from '../../codec/json-writing.ts';
import type { AdmissionStep } from '../../kinds/explain/admission-explanation.ts';
import type { AdmissionPhase, AdmissionRequest, AdmissionSteps, OpenStep, StepName } from '../../registry/admission.ts';
import { inSteps, type Rest, restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { changesBetween } from './step-story.ts';

/** Webhooks and policies are configured by many, and each may be asked twice. */
const MOST_STEPS = 1000;
const MOST_TEXTS = 50;
const LONGEST_TEXT = 4096;

type Collected = { -readonly [Field in keyof AdmissionStep]: AdmissionStep[Field] };

/** A step that has ended, with JSON of the object as it was before. */
interface Ended {
  readonly step: Collected;
  readonly request: AdmissionRequest;
  readonly before: string;
}

/** Notes all that admission does with one request, in bounds. */
export class CollectedSteps implements AdmissionSteps {
  readonly #runtime: Runtime;
  readonly #hidesValues: boolean;
  readonly #rest: Rest;
  /** By what they are about: a policy may be evaluated anew once it is known what it looks up. */
  #steps = new Map<string, Collected>();
  #remaining = 0;
  #phase: AdmissionPhase = 'Mutating';
  #round = 0;
  /** The plugin that is being asked, and the step on whose behalf something is said. */
  #plugin: Collected | undefined;
  #current: Collected | undefined;
  /** JSON of the object as the last step left it; undefined where nothing can be changed. */
  #text: string | undefined;
  #ended: Ended | undefined;
  #request: AdmissionRequest | undefined;
  refusedBy: StepName | undefined;

  constructor(runtime: Runtime, hidesValues: boolean) {
    this.#runtime = runtime;
    this.#hidesValues = hidesValues;
    this.#rest = restEveryTurn(runtime);
  }

  get steps(): readonly AdmissionStep[] {
    return [...this.#steps.values()];
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** What was last asked about; undefined: admission was never reached. */
  get request(): AdmissionRequest | undefined {
    return this.#request;
  }

  /** The object that had the last word been asked about: that which would be stored. */
  get finalObject(): AdmissionRequest['object'] {
    return this.#phase === 'Validating' ? this.#request?.object : undefined;
  }

  async settle(): Promise<void> {
    const ended = this.#ended;
    this.#ended = undefined;
    if (ended) await this.#noteChanges(ended);
    await this.#rest();
  }

  async phase(phase: AdmissionPhase, round: number, request: AdmissionRequest): Promise<void> {
    if (phase === 'Mutating' && round === 0) {
      this.#steps = new Map();
      this.#remaining = 0;
      this.refusedBy = undefined;
    }
    this.#phase = phase;
    this.#round = round;
    this.#request = request;
    this.#text = phase === 'Mutating' && request.object ? await this.#textOf(request.object) : undefined;
  }

  passedOver(step: StepName): void {
    this.#add(step, 'NotConcerned');
  }

  begin(name: StepName, request: AdmissionRequest): OpenStep {
    const step = this.#add(name, 'Allowed');
    const began = this.#runtime.monotonic();
    const before = this.#text;
    const isPlugin = name.type === 'Plugin';
    if (isPlugin) {
      this.#plugin = step;
      this.#current = step;
    }
    return {
      found: (text) => this.#found(step, text),
      during: (work) => this.#during(step, work),
      end: (failure, isRefusal = true) => {
        step.milliseconds = Math.round((this.#runtime.monotonic() - began) * 1000) / 1000;
        if (failure !== undefined) this.#noteFailure(name, step, failure, isRefusal);
        if (before !== undefined) this.#ended = { step, request, before };
        if (isPlugin) {
          this.#plugin = undefined;
          this.#current = undefined;
        }
      },
    };
  }

  warned(text: string): void {
    const step = this.#current;
    if (!step) return;
    const { warnings = [] } = step;
    const shown = cut(text);
    if ((warnings ?? []).length < MOST_TEXTS && !warnings?.includes(shown))
      step.warnings = [...(warnings ?? []), shown];
  }

  annotated(key: string, value: string): void {
    const step = this.#current;
    if (!step) return;
    const { auditAnnotations = {} } = step;
    if (Object.keys(auditAnnotations).length >= MOST_TEXTS) return;
    step.auditAnnotations = { ...auditAnnotations, [cut(key)]: this.#shown(value) };
  }

  #add(name: StepName, verdict: string): Collected {
    const isPlugin = name.type === 'Plugin';
    const step: Collected = {
      phase: this.#phase,
      round: this.#round,
      type: name.type,
      name: name.name,
      ...(isPlugin ? {} : { within: name.within }),
      ...(isPlugin || !this.#plugin ? {} : { plugin: this.#plugin.name }),
      verdict,
    };
    const key = [this.#phase, this.#round, name.type, name.name, name.within].join('\n');
    if (this.#steps.size < MOST_STEPS || this.#steps.has(key)) this.#steps.set(key, step);
    else this.#remaining++;
    return step;
  }

  #textOf(object: object): Promise<string> | string {
    return inSteps(jsonInSteps(object), this.#rest);
  }

  /** What webhooks and policies changed is told of them, and not once more of the plugin that asks them. */
  async #noteChanges({ step, request, before }: Ended): Promise<void> {
    if (!request.object) return;
    const after = await this.#textOf(request.object);
    this.#text = after;
    if (after === before) return;
    if (step.verdict === 'Allowed') step.verdict = 'Changed';
    if (step.type === 'Plugin' && this.steps.some(({ plugin, changes }) => plugin === step.name && changes)) return;
    const schema = (request.posted ?? request.type).schema;
    const { changes, remainingChanges } = await changesBetween(schema, [before, after], this.#hidesValues, this.#rest);
    step.changes = changes;
    if (remainingChanges > 0) step.remainingChanges = remainingChanges;
  }

  #noteFailure(name: StepName, step: Collected, failure: unknown, isRefusal: boolean): void {
    step.verdict = isRefusal ? 'Refused' : 'Failed';
    step.message = messageOf(failure);
    if (isRefusal) this.refusedBy ??= name;
  }

  #found(step: Collected, text: string): void {
    step.verdict = 'Violated';
    step.message = cut(step.message === undefined ? text : `${step.message}; ${text}`);
  }

  #during(step: Collected, work: () => void): void {
    const former = this.#current;
    this.#current = step;
    try {
      work();
    } finally {
      this.#current = former;
    }
  }

  /** Annotations of webhooks quote what they changed. */
  #shown(value: string): string {
    return this.#hidesValues ? '<secret contents redacted>' : cut(value);
  }
}

/** What failed by a defect is nobody's to read. */
function messageOf(failure: unknown): string {
  if (failure instanceof ApiError || failure instanceof Error) return cut(failure.message);
  return '';
}

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);
