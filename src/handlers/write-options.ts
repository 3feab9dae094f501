import { APPLY_MEDIA_TYPE } from '../codec/media-types.ts';
import { badRequest, invalid } from '../errors.ts';
import { headerValue } from '../http/headers.ts';
import type { WriteOptions } from '../registry/write.ts';
import type { RequestContext } from '../request/context.ts';
import { Problems } from '../schema/problems.ts';
import type { UserInfo } from '../user.ts';

/** More warnings than this would be of no use to anyone, and their headers could break clients. */
const MOST_WARNINGS = 50;

/** The options of a write that its query carries. `kind` names the options in errors, such as CreateOptions. */
export function readWriteOptions(
  context: RequestContext,
  user: UserInfo,
  metaGroup: string,
  kind: string,
): WriteOptions {
  const { query } = context.info;
  const problems = new Problems();
  const dryRun = readDryRun(query.getAll('dryRun'), problems);
  const fieldManager = readFieldManager(context, problems);
  if (kind === 'PatchOptions') refuseForce(context, problems);
  const fieldValidation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(fieldValidation)) {
    problems.notSupported('fieldValidation', fieldValidation, ['Ignore', 'Strict', 'Warn']);
  }
  if (problems.found.length > 0) throw invalid(metaGroup, kind, '', problems.found);
  return {
    user,
    dryRun,
    fieldManager,
    warn: (text) => context.warn(text),
    onUnknown: (paths) => reportUnknown(context, fieldValidation, paths),
  };
}

const LONGEST_MANAGER = 128;

/** The name under which changes are owned: what the client says, else what its user agent begins with. */
function readFieldManager({ info, request }: RequestContext, problems: Problems): string {
  const given = info.query.get('fieldManager') ?? '';
  if (given === '')
    return (headerValue(request, 'user-agent') ?? '').split('/', 1)[0]?.slice(0, LONGEST_MANAGER) || 'unknown';
  if (Buffer.byteLength(given) > LONGEST_MANAGER) problems.tooLong('fieldManager', LONGEST_MANAGER);
  if (/[^\P{C}]|[^\P{Z} ]/u.test(given))
    problems.invalid('fieldManager', given, 'should only contain printable characters');
  return given;
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

function reportUnknown(context: RequestContext, fieldValidation: string, paths: readonly string[]): void {
  if (fieldValidation === 'Ignore') return;
  const texts = paths.map((path) => `unknown field "${path}"`);
  if (fieldValidation === 'Strict') throw badRequest(`strict decoding error: ${texts.join(', ')}`);
  for (const text of texts.slice(0, MOST_WARNINGS)) context.warn(text);
}

/** The encoding a body is in; bodies are JSON unless they say otherwise. */
export const contentTypeOf = (context: RequestContext): string | undefined =>
  headerValue(context.request, 'content-type');
