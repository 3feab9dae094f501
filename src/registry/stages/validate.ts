import { type ApiError, invalid } from '../../api/errors.ts';
import { inSteps, type Steps } from '../../runtime/pacing.ts';
import { runChecks } from '../../schema/derive/checks.ts';
import { Problems } from '../../schema/problems.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata-validation.ts';
import type { ApiObject, ResourceType } from '../resource-type.ts';
import type { Write } from '../write.ts';
import { rulesOf } from './prepare.ts';

/** Collects every problem, and refuses the object with all of them at once. */
export function validate(write: Write): Promise<void> | void {
  const { type, object, rest } = write;
  const problems = new Problems({ hidesValues: type.sensitive });
  const waiting = inSteps(findProblems(write, problems), rest);
  if (!waiting) return refuse(type, object, problems);
  return waiting.then(() => refuse(type, object, problems));
}

/** Those of the object by itself, those of the change, and those that take long to find. */
function* findProblems(write: Write, problems: Problems): Steps<void> {
  const { parts, type, object, live } = write;
  const rules = live && rulesOf(type, write.ref.subresource);
  const isWhole = rules?.whole !== false;
  validateMetadata(object.metadata, type, problems, parts);
  yield;
  if (isWhole) {
    runChecks(type.schema, object, problems, live?.object);
    yield;
    yield* type.validate?.(object, problems, parts, live?.object) ?? [];
  }
  if (live) {
    validateMetadataUpdate(object.metadata, live.object.metadata, problems);
    rules?.validateUpdate?.(object, live.object, problems, parts);
  } else type.validateCreate?.(object, problems, parts);
  if (isWhole) yield* type.validateInSteps?.(object, live?.object, problems, parts) ?? [];
}

/** Throws one `invalid` that names every problem, if there is any. */
export function refuse(type: ResourceType, { metadata }: ApiObject, problems: Problems): void {
  if (problems.found.length > 0) throw invalidObject(type, metadata.name ?? '', problems);
}

const invalidObject = (type: ResourceType, name: string, problems: Problems): ApiError =>
  invalid(type.group, type.kind, name, problems.found);
