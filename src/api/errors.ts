/** The reasons a Status can carry. Clients match on these words, never on messages. */
export type Reason =
  | 'AlreadyExists'
  | 'BadRequest'
  | 'Conflict'
  | 'Expired'
  | 'Forbidden'
  | 'Gone'
  | 'InternalError'
  | 'Invalid'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'NotFound'
  | 'RequestEntityTooLarge'
  | 'ServiceUnavailable'
  | 'Timeout'
  | 'TooManyRequests'
  | 'Unauthorized'
  | 'UnsupportedMediaType';

/** One problem among several, tied to a field where there is one. */
export interface Cause {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

/** What a Status says beyond its message. `kind` holds the plural resource name except in `invalid`, as clients expect. */
export interface Details {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly Cause[];
  readonly retryAfterSeconds?: number;
}

/** The resource an error is about, as it is named in messages: `deployments.apps`. */
export interface ResourceRef {
  readonly group: string;
  readonly resource: string;
}

/** The reason that someone else gave for a refusal which is passed on, such as a webhook: any word. */
export type OthersReason = string & {};

const CODES: Readonly<Record<Reason, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Expired: 410,
  Gone: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
};

const CODE_OF: ReadonlyMap<string, number> = new Map(Object.entries(CODES));

const REASONS = Object.keys(CODES) as Reason[];

/** Of two reasons with one code the more general one comes later, and counts. */
const REASON_OF: ReadonlyMap<number, Reason> = new Map(REASONS.map((reason) => [CODES[reason], reason]));

/** What the metadata of a Status can say: where an expired list can be read on. */
export interface StatusMetadata {
  readonly continue?: string;
  readonly resourceVersion?: string;
}

/** Messages can quote what was sent; what is longer helps nobody. */
const LONGEST_MESSAGE = 64 * 1024;
/** The same for what is refused as a name. */
const LONGEST_NAME_TOLD = 1024;

const withShortName = (details: Details): Details =>
  details.name !== undefined && details.name.length > LONGEST_NAME_TOLD
    ? { ...details, name: `${details.name.slice(0, LONGEST_NAME_TOLD)}…` }
    : details;

/**
 * The one error class of the server. Thrown at the place that knows, rendered as a Status in `codec/status.ts` alone.
 * A reason of '' gives a Status without a reason.
 */
export class ApiError extends Error {
  readonly metadata: StatusMetadata;
  readonly reason: Reason | OthersReason;
  readonly code: number;
  readonly details: Details;

  constructor(
    reason: Reason | OthersReason,
    message: string,
    details: Details = {},
    code = CODE_OF.get(reason) ?? 500,
    metadata: StatusMetadata = {},
  ) {
    super(message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message);
    this.metadata = metadata;
    this.name = 'ApiError';
    this.reason = reason;
    this.code = code;
    this.details = withShortName(details);
  }

  /** Each problem by itself, where there are several. */
  get causes(): readonly Cause[] {
    return this.details.causes ?? [];
  }

  /** When another attempt may succeed; undefined where nobody said. */
  get retryAfterSeconds(): number | undefined {
    return this.details.retryAfterSeconds;
  }
}

/** The reason that most refusals with a code have; '' for codes that say nothing by themselves. */
export const usualReason = (code: number): Reason | '' => REASON_OF.get(code) ?? '';

/** `deployments.apps`, or `pods` for the core group. */
export const qualifiedResource = ({ group, resource }: ResourceRef): string =>
  group === '' ? resource : `${resource}.${group}`;

const about = ({ group, resource }: ResourceRef, name: string): Details => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind: resource,
});

export const notFound = (ref: ResourceRef, name: string): ApiError =>
  new ApiError('NotFound', `${qualifiedResource(ref)} "${name}" not found`, about(ref, name));

/** A path that leads nowhere inside a served group. */
export const noSuchResource = (): ApiError =>
  new ApiError('NotFound', 'the server could not find the requested resource');

/** `isLeaving`: what has the name is being deleted. */
export const alreadyExists = (ref: ResourceRef, name: string, isLeaving = false): ApiError =>
  new ApiError(
    'AlreadyExists',
    `${isLeaving ? 'object is being deleted: ' : ''}${qualifiedResource(ref)} "${name}" already exists`,
    about(ref, name),
  );

/** As `alreadyExists`, for the last of several names that the server made up. Another attempt may well succeed. */
export const generatedNamesTaken = ({ message, details }: ApiError): ApiError =>
  new ApiError('AlreadyExists', `${message}, the server was not able to generate a unique name for the object`, {
    ...details,
    retryAfterSeconds: 1,
  });

export const conflict = (ref: ResourceRef, name: string, why: string): ApiError =>
  new ApiError(
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedResource(ref)} "${name}": ${why}`,
    about(ref, name),
  );

/** The text clients know a lost optimistic-lock race by. */
export const MODIFIED_MEANWHILE =
  'the object has been modified; please apply your changes to the latest version and try again';

/** No name may be longer; what claims to be one is cut in messages. */
const LONGEST_NAME = 253;

/** Validation failed: `kind` is the Kind, every problem is a cause. */
export function invalid(group: string, kind: string, name: string, causes: readonly Cause[]): ApiError {
  const texts = [...new Set(causes.map(({ field, message }) => (field ? `${field}: ${message}` : message)))];
  const what = group === '' ? kind : `${kind}.${group}`;
  const summary = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return new ApiError('Invalid', `${what} "${shown}" is invalid: ${summary}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(kind === '' ? {} : { kind }),
    causes,
  });
}

export const badRequest = (message: string): ApiError => new ApiError('BadRequest', message);

export const unauthorized = (): ApiError => new ApiError('Unauthorized', 'Unauthorized');

/** `message` says who wanted what; `ref` is empty for paths that are not resources. */
export const forbidden = (ref: ResourceRef | undefined, name: string, message: string): ApiError =>
  new ApiError(
    'Forbidden',
    ref
      ? `${qualifiedResource(ref)}${name === '' ? '' : ` "${name}"`} is forbidden: ${message}`
      : `forbidden: ${message}`,
    ref ? about(ref, name) : {},
  );

/** Kept history does not reach back to the wanted version. */
export const expired = (message: string): ApiError => new ApiError('Expired', message);

/** As `expired`, for a list that can be read on from `metadata.continue`, though not consistently. */
export const continueExpired = (message: string, metadata: StatusMetadata): ApiError =>
  new ApiError('Expired', message, {}, CODES.Expired, metadata);

export const gone = (message: string): ApiError => new ApiError('Gone', message);

export const tooManyRequests = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError('TooManyRequests', message, { retryAfterSeconds });

export const timeout = (message: string, details: Details = {}): ApiError => new ApiError('Timeout', message, details);

/** A client asked for a version that the server has not reached. */
export const resourceVersionTooLarge = (wanted: number, current: number): ApiError =>
  timeout(`Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

export const notAcceptable = (offered: readonly string[]): ApiError =>
  new ApiError('NotAcceptable', `only the following media types are accepted: ${offered.join(', ')}`);

export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  new ApiError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

export const requestTooLarge = (limit: number): ApiError =>
  new ApiError('RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

/** A document of more fields, map entries and list elements than `limit`. */
export const tooManyValues = (limit: number): ApiError =>
  new ApiError(
    'RequestEntityTooLarge',
    `Request entity too large: the document has more than ${limit} fields, map entries and list elements`,
  );

/** A document in which an object, a map, or a list whose elements are told apart has more of them than `limit`. */
export const tooManyEntries = (field: string, limit: number): ApiError =>
  new ApiError(
    'RequestEntityTooLarge',
    `Request entity too large: ${field === '' ? 'the document' : field} has more than ${limit} fields, entries or elements`,
  );

export const methodNotAllowed = (): ApiError =>
  new ApiError('MethodNotAllowed', 'the server does not allow this method on the requested resource');

/** As `methodNotAllowed`, in the words of custom kinds. */
export const verbNotSupported = ({ group, resource }: ResourceRef, verb: string): ApiError =>
  new ApiError('MethodNotAllowed', `${verb} is not supported on resources of kind "${resource}.${group}"`, {
    group,
    kind: resource,
  });

/** Nothing can be made of a kind that is on its way out. */
export const createRefused = ({ group, resource }: ResourceRef, message: string): ApiError =>
  new ApiError('MethodNotAllowed', message, { group, kind: resource });

export const unavailable = (message: string, retryAfterSeconds = 1): ApiError =>
  new ApiError('ServiceUnavailable', message, { retryAfterSeconds });

/** A defect of ours. `id` appears in the log beside the stack, never the stack in the answer. */
export const internal = (id: string): ApiError =>
  new ApiError('InternalError', `an internal error occurred (id ${id})`, {
    causes: [{ reason: 'InternalError', message: `see the server log for ${id}` }],
  });

/** The server cannot do what is asked, through no fault of the request or the code: it lacks something, or a peer does. */
export const internalBecause = (why: string): ApiError =>
  new ApiError('InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
