import type { AdmissionRequest, MutatingRequest, Operation } from '../registry/admission.ts';
import type { ApiObject, ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import type { Struct } from '../schema/schema.ts';
import type { Act, Matches, MutatingRule, ValidatingRule } from './plugin.ts';

/** A request that makes an object, as the mutating phase is asked about it. */
export type MutatingCreate<T> = MutatingRequest<Draft<T>, undefined>;
export type MutatingUpdate<T> = MutatingRequest<Draft<T>, T>;
/** One or the other: `oldObject` is there on an update. */
export type MutatingWrite<T> = MutatingRequest<Draft<T>, T | undefined>;

/** A request that makes an object, as the validating phase is asked about it. */
export type CreateRequest<T> = AdmissionRequest<T, undefined>;
export type UpdateRequest<T> = AdmissionRequest<T, T>;
export type DeleteRequest<T> = AdmissionRequest<undefined, T>;
/** One that makes or changes an object: `oldObject` is there on an update. */
export type WriteRequest<T> = AdmissionRequest<T, T | undefined>;

/** What to do about each operation; nothing about those that are left out. `write` is about those that create or update. */
interface Acts<R> {
  readonly write?: Act<R>;
  readonly create?: Act<R>;
  readonly update?: Act<R>;
  readonly delete?: Act<R>;
  readonly connect?: Act<R>;
}

interface MutatingActs<T> {
  readonly write?: Act<MutatingWrite<T>>;
  readonly create?: Act<MutatingCreate<T>>;
  readonly update?: Act<MutatingUpdate<T>>;
  readonly delete?: Act<MutatingRequest<undefined, T>>;
}

interface ValidatingActs<T> {
  readonly write?: Act<WriteRequest<T>>;
  readonly create?: Act<CreateRequest<T>>;
  readonly update?: Act<UpdateRequest<T>>;
  readonly delete?: Act<DeleteRequest<T>>;
}

/** Some requests, of which it is known what their objects are. */
interface Subject<Mutating, Validating> {
  mutate(acts: Mutating): MutatingRule;
  validate(acts: Validating): ValidatingRule;
}

/**
 * Writes and deletions of objects of a kind. A type is one of the kind if its objects are read by this very declaration,
 * whatever it is called and however often the catalogue replaces it.
 */
export const onKind = <T extends ApiObject>(kind: Struct<T>): Subject<MutatingActs<T>, ValidatingActs<T>> =>
  onSubresourceOf(kind, '');

/** Changes of objects of a kind through a subresource that shows them, such as `status`. */
export const onSubresource = <T extends ApiObject>(
  kind: Struct<T>,
  name: string,
): Subject<Pick<MutatingActs<T>, 'update'>, Pick<ValidatingActs<T>, 'update'>> => onSubresourceOf(kind, name);

/** Posts of one sort to a subresource that does something with what is posted, such as `token`. */
export function onPosted<P extends ApiObject, T extends ApiObject>(
  posted: Struct<P>,
  kind: Struct<T>,
  name: string,
): Subject<Pick<MutatingActs<P>, 'create'>, Pick<ValidatingActs<P>, 'create'>> {
  const subject = onSubresourceOf<Pick<MutatingActs<P>, 'create'>, Pick<ValidatingActs<P>, 'create'>>(kind, name);
  // A subresource may take several sorts of documents.
  const whenPosted =
    <R extends AdmissionRequest<unknown>>(act: Act<R>): Act<R> =>
    (request, rounds) =>
      Object.is(request.posted?.schema, posted) ? act(request, rounds) : undefined;
  return {
    mutate: ({ create }) => subject.mutate(create ? { create: whenPosted(create) } : {}),
    validate: ({ create }) => subject.validate(create ? { create: whenPosted(create) } : {}),
  };
}

/** Requests of every operation about kinds of which nothing is known, those that are yet to come included. */
export const onAny = (matches: Matches = () => true): Subject<Acts<MutatingRequest>, Acts<AdmissionRequest>> =>
  on(matches);

/** Whether objects of the type are read by this declaration. */
export const isOf = (kind: ResourceType['schema'], { schema }: ResourceType): boolean => Object.is(schema, kind);

const onSubresourceOf = <Mutating extends Acts<never>, Validating extends Acts<never>>(
  kind: ResourceType['schema'],
  name: string,
): Subject<Mutating, Validating> => on((type, subresource) => subresource === name && isOf(kind, type));

function on<Mutating extends Acts<never>, Validating extends Acts<never>>(
  matches: Matches,
): Subject<Mutating, Validating> {
  return {
    mutate: (acts) => ({ phase: 'mutate', matches, acts: byOperation(acts) }),
    validate: (acts) => ({ phase: 'validate', matches, acts: byOperation(acts) }),
  };
}

/**
 * The one place where a request is told what its objects are. That it is true is for `matches` to see to: it looks at the
 * declaration by which they have been read.
 */
function byOperation<R>(typed: Acts<never>): Readonly<Partial<Record<Operation, Act<R>>>> {
  const { write, create = write, update = write, delete: remove, connect } = typed as Acts<R>;
  return {
    ...(create && { CREATE: create }),
    ...(update && { UPDATE: update }),
    ...(remove && { DELETE: remove }),
    ...(connect && { CONNECT: connect }),
  };
}
