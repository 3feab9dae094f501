import type { Steps } from '../runtime/pacing.ts';
import { arrange, settle } from '../schema/derive/canonical.ts';
import type { Draft } from '../schema/draft.ts';
import type { Struct } from '../schema/schema.ts';
import { share, shareInSteps } from './share.ts';

/** What every object says of its own version. */
interface Versioned {
  readonly metadata: { readonly resourceVersion?: string };
}

/** Holds the place of the revision, which an object that is new does not have yet. */
const PLACE = '?';

/** A draft becomes a value, in canonical form. What says the same as in `before` is then the very same. */
export function seal<T>(schema: Struct<T>, draft: Draft<T>, before: T): T {
  const shared = share(before, draft);
  const settled: T = settle(schema, shared, before);
  // What became canonical only now may say the same as before, too.
  return settled === shared ? shared : share(before, settled as Draft<T>);
}

/** As `seal`, for large objects. */
export function* sealInSteps<T>(schema: Struct<T>, draft: Draft<T>, before: T): Steps<T> {
  const shared = yield* shareInSteps(before, draft);
  yield;
  const settled: T = settle(schema, shared, before);
  return settled === shared ? shared : yield* shareInSteps(before, settled as Draft<T>);
}

/** A new object becomes a value, with a place for its revision. */
export function sealNew<T extends Versioned>(schema: Struct<T>, draft: Draft<T>): T {
  const versioned = draft as Draft<Versioned>;
  versioned.metadata.resourceVersion = PLACE;
  const sealed: T = arrange(schema, draft);
  (sealed as Draft<Versioned>).metadata.resourceVersion = '';
  return sealed;
}

/** The same object as of another revision. The revision of a new object takes its place, once and for all. */
export function atRevision<T extends Versioned>(object: T, revision: number): T {
  const resourceVersion = String(revision);
  const { metadata } = object;
  if (metadata.resourceVersion === resourceVersion) return object;
  const numbered = object as Draft<Versioned>;
  if (metadata.resourceVersion !== '') return copyAt(numbered, resourceVersion) as T;
  numbered.metadata.resourceVersion = resourceVersion;
  return object;
}

/** Copied first and then set, as in `withMetadata`. */
function copyAt(object: Draft<Versioned>, resourceVersion: string): Draft<Versioned> {
  const copy = { ...object };
  copy.metadata = { ...object.metadata };
  copy.metadata.resourceVersion = resourceVersion;
  return copy;
}
