import { sharingOf } from '../../apply/derive-sharing.ts';
import { toJson } from '../../cel/values/json.ts';
import { Failure } from '../../cel/values/values.ts';
import type { CompiledMutation } from '../../kinds/admissionregistration/policy/policy-compiler.ts';
import { applyJsonPatch, parseJsonPatch } from '../../patch/json-patch.ts';
import { findUnknown } from '../../schema/derive/canonical.ts';
import type { Node } from '../../schema/node.ts';
import { errorText } from '../expressions/conditions.ts';
import { MisconfiguredError } from '../expressions/misconfigured.ts';

/** The object with what an expression of a policy gave. Throws a MisconfiguredError where nothing can be made of that. */
export function mutated(schema: Node, object: object, { patchType, expression }: CompiledMutation, value: unknown) {
  const given = value instanceof Failure ? value : toJson(value);
  if (given instanceof Failure) throw new MisconfiguredError(errorText(expression.source, given));
  try {
    return patchType === 'JSONPatch' ? applyJsonPatch(object, parseJsonPatch(given)) : applied(schema, object, given);
  } catch (error) {
    // What a policy asks for is nonsense: that is no fault of the client's.
    throw error instanceof Error ? new MisconfiguredError(error.message) : error;
  }
}

/** Merged as a server-side apply merges: places with one owner are replaced as a whole. */
function applied(schema: Node, object: object, configuration: unknown): unknown {
  const [unknown] = findUnknown(schema, configuration);
  if (unknown !== undefined)
    throw new MisconfiguredError(`invalid ApplyConfiguration: ${unknown}: field not declared in schema`);
  return sharingOf(schema).merge(object, configuration);
}
