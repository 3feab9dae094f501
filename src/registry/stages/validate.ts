import { type ApiError, invalid } from '../../api/errors.ts';
import { inSteps } from '../../runtime/pacing.ts';
import { runChecks } from '../../schema/derive/checks.ts';
import { Problems } from '../../schema/problems.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata-validation.ts';
import type { ApiObject, ResourceType } from '../resource-type.ts';
import type { Write } from '../write.ts';
import { rulesOf } from './prepare.ts';

/** Collects every problem, and refuses the object with all of them at once. */
export function validate(write: Write): Promise<void> | void {
  const { type, object } = write;
  const problems = new Problems({ hidesValues: type.sensitive });
  if (write.live) validateChange(write, write.live.object, problems);
  else {
    validateWhole(write, problems);
    type.validateCreate?.(object, problems, write.parts);
  }
  const waiting = validateInSteps(write, problems);
  if (!waiting) return refuse(type, object, problems);
  return waiting.then(() => refuse(type, object, problems));
}

function validateInSteps({ parts, ref, type, object, live, rest }: Write, problems: Problems): Promise<void> | void {
  if (!type.validateInSteps || (live && rulesOf(type, ref.subresource).whole === false)) return;
  return inSteps(type.validateInSteps(object, live?.object, problems, parts), rest);
}

function validateChange(write: Write, live: ApiObject, problems: Problems): void {
  const { parts, ref, type, object } = write;
  const rules = rulesOf(type, ref.subresource);
  if (rules.whole === false) validateMetadata(object.metadata, type, problems, parts);
  else validateWhole(write, problems, live);
  validateMetadataUpdate(object.metadata, live.metadata, problems);
  rules.validateUpdate?.(object, live, problems, parts);
}

/** All that is wrong with an object by itself, or with what an update makes of it. */
function validateWhole({ parts, type, object }: Write, problems: Problems, live?: ApiObject): void {
  validateMetadata(object.metadata, type, problems, parts);
  runChecks(type.schema, object, problems, live);
  type.validate?.(object, problems, parts);
}

/** Throws one `invalid` that names every problem, if there is any. */
export function refuse(type: ResourceType, { metadata }: ApiObject, problems: Problems): void {
  if (problems.found.length > 0) throw invalidObject(type, metadata.name ?? '', problems);
}

const invalidObject = (type: ResourceType, name: string, problems: Problems): ApiError =>
  invalid(type.group, type.kind, name, problems.found);
