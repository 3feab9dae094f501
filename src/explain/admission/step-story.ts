import { findChangedValues } from '../../apply/changed-values.ts';
import { sharingOf } from '../../apply/derive-sharing.ts';
import { FieldSet, placeText } from '../../apply/field-set.ts';
import { parseJsonInSteps } from '../../codec/json-reading.ts';
import type { FieldChange } from '../../kinds/explain/field-change.ts';
import { inSteps, type Rest } from '../../runtime/pacing.ts';
import type { Node } from '../../schema/node.ts';
import { REDACTED } from '../../schema/problems.ts';

const MOST_CHANGES = 200;
/** Characters of a value as JSON. */
const LONGEST_VALUE = 2048;

export interface Changes {
  readonly changes: FieldChange[];
  readonly remainingChanges: number;
}

/** What is different between two objects, given as JSON; bounded. `hides`: no value is shown. */
export async function changesBetween(
  schema: Node,
  [before, after]: readonly [string, string],
  hides: boolean,
  rest: Rest,
): Promise<Changes> {
  const changes: FieldChange[] = [];
  let remainingChanges = 0;
  const was = await inSteps(parseJsonInSteps(before), rest);
  const is = await inSteps(parseJsonInSteps(after), rest);
  const shown = (value: unknown): unknown => (hides ? REDACTED : short(value));
  await findChangedValues([sharingOf(schema), was, is, FieldSet.EMPTY], rest, ({ path, before: old, after: now }) => {
    if (changes.length === MOST_CHANGES) {
      remainingChanges++;
      return;
    }
    changes.push({
      path: placeText(path),
      ...(old === undefined ? {} : { before: shown(old) }),
      ...(now === undefined ? {} : { after: shown(now) }),
    });
  });
  return { changes, remainingChanges };
}

function short(value: unknown): unknown {
  const { length } = JSON.stringify(value);
  return length > LONGEST_VALUE ? `<${length} characters of JSON>` : value;
}
