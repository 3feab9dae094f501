import { badRequest, invalid } from '../../api/errors.ts';
import type { UserInfo } from '../../api/user.ts';
import { ownText } from '../../bounds/own-memory.ts';
import { APPLY_MEDIA_TYPE } from '../../codec/media-types.ts';
import { headerText, headerValue } from '../../http/headers.ts';
import type { OperationOptions } from '../../registry/admission.ts';
import type { WriteOptions } from '../../registry/write.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Query } from '../../request/request-info.ts';
import { Problems } from '../../schema/problems.ts';
import {
  FIELD_VALIDATION_LEVELS,
  FieldValidation,
  fieldValidationLevel,
  type StrictRefusal,
} from './field-validation.ts';

/**
 * The options of a write, and what is to be told of fields that its document should not have. The request has them to itself
 * and adds what it comes to know of them.
 */
export interface RequestOptions extends WriteOptions {
  readonly fields: FieldValidation;
  patched: boolean | undefined;
  patchText: string | undefined;
  fieldManager: string;
  apply: WriteOptions['apply'];
  beforeCreate: WriteOptions['beforeCreate'];
}

/**
 * The options of a write that its query carries. `kind` names the options in errors, such as CreateOptions; `refusal` is
 * for documents that strict validation refuses.
 */
export function readWriteOptions(
  context: RequestContext,
  user: UserInfo,
  metaGroup: string,
  kind: string,
  refusal: StrictRefusal = badRequest,
): RequestOptions {
  const { query } = context.info;
  const problems = new Problems();
  const dryRun = readDryRun(query.getAll('dryRun'), problems);
  const fieldManager = readFieldManager(context, problems);
  if (kind === 'PatchOptions') refuseForce(context, problems);
  const fieldValidation = query.get('fieldValidation') ?? '';
  const level = fieldValidationLevel(fieldValidation);
  if (!level) problems.notSupported('fieldValidation', fieldValidation, FIELD_VALIDATION_LEVELS);
  if (!level || problems.found.length > 0) throw invalid(metaGroup, kind, '', problems.found);
  const warn = (text: string): void => context.warn(text);
  const fields = new FieldValidation(level, warn, refusal);
  // In one piece, with all that any write can have, because putting objects together costs more than all that is read here.
  return {
    user,
    auditId: context.auditId,
    verb: context.info.verb,
    dryRun,
    fieldManager,
    said: saidIn(query),
    deadline: context.deadline,
    steps: context.steps,
    background: context.request.background ?? false,
    fields,
    warn,
    annotate: (key, value, weight) => context.annotate(key, value, weight),
    waited: (milliseconds) => context.waited(milliseconds),
    called: (call) => context.called(call),
    // A document that is kept for the record stays as it was sent.
    adopts: kind === 'CreateOptions' && !context.record,
    patched: undefined,
    patchText: undefined,
    apply: undefined,
    beforeCreate: undefined,
    premise: undefined,
    onRead: (unknown, refusal) => fields.report(unknown, refusal),
  };
}

function saidIn(query: Query): OperationOptions | undefined {
  const fieldManager = query.get('fieldManager');
  const fieldValidation = query.get('fieldValidation');
  if (!fieldManager && !fieldValidation) return undefined;
  return { ...(fieldManager ? { fieldManager } : {}), ...(fieldValidation ? { fieldValidation } : {}) };
}

const LONGEST_MANAGER = 128;

/** The name under which changes are owned: what the client says, else what its user agent begins with. */
function readFieldManager({ info, request }: RequestContext, problems: Problems): string {
  const given = info.query.get('fieldManager') ?? '';
  if (given === '') return ownText(managerOf(headerValue(request, 'user-agent') ?? '')) || 'unknown';
  if (Buffer.byteLength(given) > LONGEST_MANAGER) problems.tooLong('fieldManager', LONGEST_MANAGER);
  if (given.search(UNPRINTABLE) >= 0)
    problems.invalid('fieldManager', given, 'should only contain printable characters');
  return ownText(given);
}

/** What nearly all user agents begin with: nothing in it has to be looked at twice. */
const PLAIN_PRODUCT = /^[!-~]{0,128}$/;
const UNPRINTABLE = /[^\P{C}]|[^\P{Z} ]/gu;

/** What a user agent begins with, as far as it can be a name. */
function managerOf(userAgent: string): string {
  const slash = userAgent.indexOf('/');
  const product = slash < 0 ? userAgent : userAgent.slice(0, slash);
  if (PLAIN_PRODUCT.test(product)) return product;
  const bytes = Buffer.from((headerText(product) ?? '').replace(UNPRINTABLE, ''));
  if (bytes.length <= LONGEST_MANAGER) return bytes.toString();
  // A character that does not fit is left out as a whole.
  return bytes
    .subarray(0, LONGEST_MANAGER)
    .toString()
    .replace(/\uFFFD$/, '');
}

/** Only an applied document can take by force. */
function refuseForce({ info, request }: RequestContext, problems: Problems): void {
  const applies = headerValue(request, 'content-type')?.startsWith(APPLY_MEDIA_TYPE) ?? false;
  if (info.query.has('force') && !applies) problems.forbidden('force', 'may not be specified for non-apply patch');
}

/** `dryRun` without a value is the same as none. */
export function readDryRun(values: readonly string[], problems: Problems): boolean {
  const given = values.filter((value) => value !== '');
  for (const value of given) if (value !== 'All') problems.notSupported('dryRun', value, ['All']);
  return given.length > 0;
}

/** The encoding a body is in; bodies are JSON unless they say otherwise. */
export const contentTypeOf = (context: RequestContext): string | undefined =>
  headerValue(context.request, 'content-type');
