import { changedValues } from '../../apply/changed-values.ts';
import { sharingOf } from '../../apply/derive-sharing.ts';
import { FieldSet, placeText } from '../../apply/field-set.ts';
import type { FieldChange } from '../../kinds/explain/field-change.ts';
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
export function changesBetween(schema: Node, before: string, after: string, hides: boolean): Changes {
  const changes: FieldChange[] = [];
  let remainingChanges = 0;
  const all = changedValues(sharingOf(schema), JSON.parse(before), JSON.parse(after), FieldSet.EMPTY);
  const shown = (value: unknown): unknown => (hides ? REDACTED : short(value));
  for (const { path, before: old, after: now } of all) {
    if (changes.length === MOST_CHANGES) {
      remainingChanges++;
      continue;
    }
    changes.push({
      path: placeText(path),
      ...(old === undefined ? {} : { before: shown(old) }),
      ...(now === undefined ? {} : { after: shown(now) }),
    });
  }
  return { changes, remainingChanges };
}

function short(value: unknown): unknown {
  const { length } = JSON.stringify(value);
  return length > LONGEST_VALUE ? `<${length} characters of JSON>` : value;
}
