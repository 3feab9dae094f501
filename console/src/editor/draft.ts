import { signal } from '@preact/signals';
import { type JsonObject, textAt } from '../api/json.ts';
import { messageOf, Refusal, sendForJson } from '../api/request.ts';
import type { LiveObject } from '../object/live-object.ts';
import { tell } from '../shell/toasts.tsx';
import { type Difference, differences, overlaps, withChanges } from './field-diff.ts';
import { type Span, stepsOf, textOf, YamlText } from './yaml-text.ts';

const versionOf = (object: JsonObject): string => textAt(object, 'metadata', 'resourceVersion');

/** What others changed while somebody edited, beside what that one changed. */
export interface Conflict {
  readonly theirs: JsonObject;
  readonly byOthers: readonly Difference[];
  readonly mine: readonly Difference[];
  /** Fields of mine that others changed too. */
  readonly both: readonly Difference[];
}

export interface Review {
  readonly before: string;
  readonly after: string;
}

/** An object that is being edited: what it was, what it is to be, and what the server says to that. */
export class Draft {
  readonly text = signal('');
  readonly base = signal<JsonObject>({});
  readonly review = signal<Review | undefined>(undefined);
  readonly conflict = signal<Conflict | undefined>(undefined);
  readonly problem = signal<Error | undefined>(undefined);
  readonly places = signal<readonly (Span & { message: string })[]>([]);
  readonly isBusy = signal(false);
  readonly #live: LiveObject;
  #original = '';

  constructor(live: LiveObject, object: JsonObject) {
    this.#live = live;
    this.begin(object);
  }

  /** Edits this state of the object from now on. */
  begin(object: JsonObject, text = textOf(object)): void {
    this.base.value = object;
    this.#original = textOf(object);
    this.text.value = text;
    this.conflict.value = undefined;
    this.problem.value = undefined;
    this.places.value = [];
  }

  get isChanged(): boolean {
    return this.text.value !== this.#original;
  }

  /** Somebody else wrote the object, and what is edited is an older state of it. */
  isBehind(object: JsonObject): boolean {
    return versionOf(object) !== versionOf(this.base.value);
  }

  /** Has the server work out what saving would do, without doing it. */
  async look(): Promise<void> {
    const answer = await this.#put('&dryRun=All');
    if (answer)
      this.review.value = { before: textOf(this.base.value), after: textOf(withoutVersion(answer, this.base.value)) };
  }

  /** What admission would do with it. Refused only where that cannot be told. */
  explain(): Promise<JsonObject> {
    const path = `${this.#path}&dryRun=All&explain=admission`;
    return sendForJson(path, { method: 'PUT', body: this.text.value, type: 'application/yaml' });
  }

  async save(): Promise<void> {
    const answer = await this.#put('');
    if (!answer) return;
    this.review.value = undefined;
    this.#live.take(answer);
    this.begin(answer);
    tell(`${this.#live.name} is saved`);
  }

  /** Puts my changes on top of what others have made of the object. */
  rebase({ theirs, mine }: Conflict): void {
    this.begin(theirs, textOf(withChanges(theirs, mine)));
  }

  async tellConflict(): Promise<void> {
    const theirs = await sendForJson(this.#live.path);
    const edited = new YamlText(this.text.value).object;
    if (!edited) return;
    const byOthers = differences(this.base.value, theirs);
    const mine = differences(withoutRecord(this.base.value), edited);
    const both = mine.filter(({ path }) => byOthers.some((other) => overlaps(other.path, path)));
    this.review.value = undefined;
    this.conflict.value = { theirs, byOthers, mine, both };
  }

  async #put(query: string): Promise<JsonObject | undefined> {
    this.problem.value = undefined;
    this.places.value = [];
    this.isBusy.value = true;
    try {
      return await sendForJson(`${this.#path}${query}`, {
        method: 'PUT',
        body: this.text.value,
        type: 'application/yaml',
      });
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) await this.tellConflict();
      else this.#refused(error);
      return undefined;
    } finally {
      this.isBusy.value = false;
    }
  }

  get #path(): string {
    return `${this.#live.path}?fieldManager=console&fieldValidation=Strict`;
  }

  #refused(error: unknown): void {
    this.review.value = undefined;
    this.problem.value = error instanceof Error ? error : new Error(messageOf(error));
    if (!(error instanceof Refusal)) return;
    const text = new YamlText(this.text.value);
    const named = error.causes.filter(({ field }) => field !== '' && field !== '<nil>');
    const unknown = [...error.message.matchAll(/unknown field "([^"]+)"/g)].map(([message, field = '']) => ({
      field,
      message,
    }));
    this.places.value = [...named, ...unknown].map(({ field, message }) => ({
      ...text.spanOf(stepsOf(field)),
      message,
    }));
  }
}

const withoutRecord = (object: JsonObject): JsonObject => {
  const { managedFields: _, ...metadata } = Object(object.metadata);
  return { ...object, metadata };
};

/** A dry run gives a new version that will not be the one: it is left out of the comparison. */
const withoutVersion = (answer: JsonObject, base: JsonObject): JsonObject => ({
  ...answer,
  metadata: { ...Object(answer.metadata), resourceVersion: versionOf(base) },
});
