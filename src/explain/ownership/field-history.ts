import { sharingOf } from '../../apply/derive-sharing.ts';
import { FieldSet, placeText } from '../../apply/field-set.ts';
import type { Sharing } from '../../apply/sharing.ts';
import { unchangedSince } from '../../apply/unchanged-since.ts';
import type { ActionCall } from '../../handlers/actions/action.ts';
import type { ObjectVersion } from '../../kinds/explain/object-version.ts';
import { MANY_ENTRIES } from '../../runtime/later.ts';
import { inSteps, restEveryTurn, type Steps } from '../../runtime/pacing.ts';
import type { AskedObject } from '../asked-object.ts';
import type { VersionDescriptions } from '../history/described-version.ts';
import { isBeforeHistory, type PastState, statesBefore } from '../history/past-states.ts';

/** So much of the past is looked at for one answer. */
const MOST_VERSIONS = 1_000;
const MOST_BYTES = 32 << 20;

/** Which version gave a place its value. */
export interface LastSetting {
  readonly setBy: ObjectVersion;
  /** Undefined: there was none. */
  readonly previous: unknown;
}

export interface FieldHistory {
  /** By the text of places; what is not here was set before the time that was looked at. */
  readonly settings: ReadonlyMap<string, LastSetting>;
  readonly versionsRead: number;
  /** Whether all that is remembered was looked at, as far as there was anything to be found. */
  readonly complete: boolean;
}

type Sources = Pick<ActionCall, 'objects' | 'options' | 'context'>;

/**
 * Which versions gave some places of an object the values that they have: one walk from the newest version on, for as long
 * as there are places whose value has always been the same.
 */
export async function fieldHistory(
  { objects, options, context }: Sources,
  asked: AskedObject,
  { version, object }: PastState,
  places: FieldSet,
  descriptions: VersionDescriptions,
): Promise<FieldHistory> {
  const search = new Search(descriptions, places);
  const sharing = sharingOf(asked.type.schema);
  let [versionsRead, bytesRead] = [0, 0];
  const rest = restEveryTurn(context.runtime);
  for await (const state of statesBefore(objects, asked, version, rest)) {
    options.deadline?.check();
    if (state.version === version) {
      search.begin(state);
      continue;
    }
    versionsRead++;
    bytesRead += state.read.size;
    await inSteps(search.goBackTo(state, sharing, object), rest);
    if (search.isOver) break;
    if (versionsRead >= MOST_VERSIONS || bytesRead >= MOST_BYTES) {
      return { settings: search.settings, versionsRead, complete: false };
    }
  }
  const isFirst = (first: PastState) =>
    first.version.previous === undefined && !isBeforeHistory(objects, asked.type, first.version);
  await inSteps(search.end(isFirst), rest);
  return { settings: search.settings, versionsRead, complete: true };
}

class Search {
  readonly settings = new Map<string, LastSetting>();
  readonly #descriptions: VersionDescriptions;
  #left: FieldSet;
  /** The oldest state that has all that is left as it is now. */
  #setter: PastState | undefined;

  constructor(descriptions: VersionDescriptions, places: FieldSet) {
    this.#descriptions = descriptions;
    this.#left = places;
  }

  get isOver(): boolean {
    return this.#left.isEmpty;
  }

  begin(state: PastState): void {
    this.#setter = state;
  }

  *goBackTo(state: PastState, sharing: Sharing, object: unknown): Steps<void> {
    const setter = this.#setter;
    if (!setter) return;
    if (state.version.deleted) {
      yield* this.#settleAll(setter);
      return;
    }
    let setBy: ObjectVersion | undefined;
    this.#left = yield* unchangedSince(this.#left, sharing, object, state.object, ({ path, before }) => {
      setBy ??= this.#descriptions.of(setter);
      this.settings.set(placeText(path), { setBy, previous: before });
    });
    this.#setter = state;
  }

  /** There are no older states. `isFirst`: whether the oldest one made the object. */
  *end(isFirst: (state: PastState) => boolean): Steps<void> {
    yield;
    if (this.#setter && !this.isOver && isFirst(this.#setter)) yield* this.#settleAll(this.#setter);
  }

  *#settleAll(setter: PastState): Steps<void> {
    const setBy = this.#descriptions.of(setter);
    for (const path of this.#left.paths()) {
      this.settings.set(placeText(path), { setBy, previous: undefined });
      if (this.settings.size % MANY_ENTRIES === 0) yield;
    }
    this.#left = FieldSet.EMPTY;
  }
}
