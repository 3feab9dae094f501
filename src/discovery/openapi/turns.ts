import type { Rest } from '../../runtime/pacing.ts';
import { isObject } from '../../schema/json-object.ts';

/** How deep values are cut into pieces: a document, its members, and the members of these. */
const CUT_DEPTH = 2;

/** As JSON.stringify for plain values, piece by piece. */
export async function stringifySlowly(value: object, rest: Rest, depth = CUT_DEPTH): Promise<string> {
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const isCut = depth > 0 && isObject(member);
    const text = isCut ? await stringifySlowly(member, rest, depth - 1) : JSON.stringify(member);
    members.push(`${JSON.stringify(name)}:${text}`);
    await rest();
  }
  return `{${members.join(',')}}`;
}
