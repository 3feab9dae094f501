import { membersOf } from '../../codec/json-members.ts';
import { inSteps, type Rest } from '../../runtime/pacing.ts';
import { isObject, type JsonObject } from '../../schema/json-object.ts';
import { sorted } from './draft.ts';
import { readDefinition, readParameter, readPathItem } from './foreign-schema.ts';
import type { RemoteV2 } from './remote-schemas.ts';
import type { V2Document } from './v2-document.ts';

const DEFINITIONS = '#/definitions/';
const PARAMETERS = '#/parameters/';
/** Of one path, definition or parameter: it is parsed in one go. */
const LONGEST_MEMBER = 512 * 1024;

type Members = Map<string, JsonObject>;

/** The document with what other servers publish of theirs. One whose document is of no use is left out, and told of. */
export async function mergeV2(
  own: V2Document,
  others: readonly RemoteV2[],
  rest: Rest,
  onError: (source: string, error: unknown) => void,
): Promise<V2Document> {
  let merged = own;
  for (const other of others) {
    try {
      merged = await withOther(merged, other, rest);
    } catch (error) {
      onError(other.source, error);
    }
  }
  return merged;
}

async function withOther(own: V2Document, { bytes, prefixes }: RemoteV2, rest: Rest): Promise<V2Document> {
  const foreign = await inSteps(membersOf(bytes.toString('utf8')), rest);
  const section = async (name: string): Promise<ReadonlyMap<string, string>> =>
    inSteps(membersOf(foreign.get(name) ?? '{}'), rest);
  const [allPaths, definitions, parameters] = [
    await section('paths'),
    await section('definitions'),
    await section('parameters'),
  ];
  const paths: Members = new Map();
  for (const [path, text] of allPaths) {
    if (!prefixes.some((prefix) => path.startsWith(prefix))) continue;
    paths.set(path, readPathItem(parsed(text)));
    await rest();
  }
  const needed = new Needed(definitions, parameters);
  await needed.gather([...paths.values()], rest);
  const names = await newNames(own, needed, rest);
  const added = async (members: Members): Promise<[string, JsonObject][]> => {
    const renamed: [string, JsonObject][] = [];
    for (const [name, member] of members) {
      renamed.push([names.get(name) ?? name, isObject(member) ? withNames(member, names) : member]);
      await rest();
    }
    return renamed;
  };
  return {
    ...own,
    paths: joined(own.paths, await added(paths)),
    definitions: joined(own.definitions, await added(needed.definitions)),
    parameters: joined(own.parameters, await added(needed.parameters)),
  };
}

const joined = <T>(own: Readonly<Record<string, T>>, more: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(sorted(new Map([...more, ...Object.entries(own)])));

function parsed(text: string): unknown {
  if (text.length > LONGEST_MEMBER) throw new Error(`a part of the document is longer than ${LONGEST_MEMBER}`);
  return JSON.parse(text);
}

/** What some paths refer to, and what that refers to, under its whole reference. */
class Needed {
  readonly definitions: Members = new Map();
  readonly parameters: Members = new Map();
  readonly #allDefinitions: ReadonlyMap<string, string>;
  readonly #allParameters: ReadonlyMap<string, string>;

  constructor(definitions: ReadonlyMap<string, string>, parameters: ReadonlyMap<string, string>) {
    this.#allDefinitions = definitions;
    this.#allParameters = parameters;
  }

  async gather(from: readonly JsonObject[], rest: Rest): Promise<void> {
    const waiting = from.flatMap((one) => [...referencesIn(one)]);
    for (let reference = waiting.pop(); reference !== undefined; reference = waiting.pop()) {
      const found = this.#take(reference);
      if (found) waiting.push(...referencesIn(found));
      await rest();
    }
  }

  /** Undefined: it is known already, or there is no such thing. */
  #take(reference: string): JsonObject | undefined {
    const isDefinition = reference.startsWith(DEFINITIONS);
    const name = reference.slice((isDefinition ? DEFINITIONS : PARAMETERS).length);
    const [all, taken] = isDefinition
      ? [this.#allDefinitions, this.definitions]
      : [this.#allParameters, this.parameters];
    const text = all.get(name);
    if (text === undefined || taken.has(name)) return undefined;
    const value = isDefinition ? readDefinition(parsed(text)) : readParameter(parsed(text));
    if (value) taken.set(name, value);
    return value;
  }
}

function* referencesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* referencesIn(one);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && typeof member === 'string') yield member;
    else yield* referencesIn(member);
  }
}

/** Names under which something else is published here already, and what to call theirs. */
async function newNames(own: V2Document, needed: Needed, rest: Rest): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const pairs = [
    [own.definitions, needed.definitions],
    [own.parameters, needed.parameters],
  ] as const;
  for (const [present, foreign] of pairs) {
    for (const [name, value] of foreign) {
      const ours = present[name];
      if (ours !== undefined && canonical(ours) !== canonical(value)) names.set(name, freeName(present, name));
      await rest();
    }
  }
  return names;
}

function freeName(present: Readonly<Record<string, unknown>>, name: string): string {
  let number = 2;
  while (Object.hasOwn(present, `${name}_v${number}`)) number++;
  return `${name}_v${number}`;
}

/** The same for values that say the same. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member) =>
    isObject(member) ? Object.fromEntries(sorted(Object.entries(member))) : member,
  );

function withNames(value: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return names.size === 0 ? value : (renamed(value, names) as JsonObject);
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? newReference(member, names) : renamed(member, names),
    ]),
  );
}

function newReference(reference: string, names: ReadonlyMap<string, string>): string {
  const start = reference.lastIndexOf('/') + 1;
  return reference.slice(0, start) + (names.get(reference.slice(start)) ?? reference.slice(start));
}
