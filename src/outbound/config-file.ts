import { parsePlainYaml } from '../codec/plain-yaml.ts';
import { DEEPEST, depthOf } from '../schema/document-limits.ts';
import {
  asNode,
  expectWord,
  type FieldNode,
  type Fields,
  nodeField,
  nodesField,
  pathTo,
  requiredText,
  textField,
} from './config-fields.ts';

/** The lists of a configuration, and the field below which an item of each has what it names. */
export const ENTRY_FIELDS = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;
export type EntryList = keyof typeof ENTRY_FIELDS;

/** What a configuration has under one name, as it was written. It is read when it is used. */
export interface ConfigEntry extends FieldNode {
  /** Where relative paths in it start from. */
  readonly directory: string;
}

/** A client configuration; nothing it points to is read yet. Of entries with one name the first counts. */
export interface ClientConfig extends Readonly<Record<EntryList, ReadonlyMap<string, ConfigEntry>>> {
  readonly currentContext: string | undefined;
}

/** Decodes YAML or JSON text. Unknown fields are passed over; one of the wrong type throws a line with its path. */
export async function decodeClientConfig(text: string, directory: string): Promise<ClientConfig> {
  return readDocument(await parseConfigText(text), directory);
}

/** `where`: what stands before the paths of entries in messages. */
export function readDocument(document: Fields, directory: string, where = ''): ClientConfig {
  const root = asNode(document, '');
  expectWord(root, 'apiVersion', 'v1');
  expectWord(root, 'kind', 'Config');
  const entries = (list: EntryList): Map<string, ConfigEntry> => {
    const found = new Map<string, ConfigEntry>();
    for (const item of nodesField(root, list)) {
      const name = requiredText(item, 'name');
      const { fields, path } = nodeField(item, ENTRY_FIELDS[list]) ?? asNode({}, pathTo(item, ENTRY_FIELDS[list]));
      if (!found.has(name)) found.set(name, { fields, path: `${where}${path}`, directory });
    }
    return found;
  };
  return {
    clusters: entries('clusters'),
    users: entries('users'),
    contexts: entries('contexts'),
    currentContext: textField(root, 'current-context'),
  };
}

/** The mapping that a configuration text is. */
export async function parseConfigText(text: string): Promise<Fields> {
  return asNode(await parseText(text), '').fields;
}

async function parseText(text: string): Promise<unknown> {
  if (text.length > MOST_CHARACTERS) throw new Error(`longer than ${MOST_CHARACTERS} characters`);
  const json = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  if (json) return json.value;
  // Loading the library takes longer than most short commands.
  const plain = parsePlainYaml(text);
  if (plain) return plain.value;
  const { InvalidYaml, readYaml } = await import('../codec/yaml-text.ts');
  try {
    return (await readYaml(text, { deepest: DEEPEST })).value;
  } catch (error) {
    // The parser's own message quotes the text, which holds secrets.
    if (error instanceof InvalidYaml) throw new Error(`neither YAML nor JSON: line ${error.line} cannot be parsed`);
    throw new Error(isTooDeep(error) ? TOO_DEEP : 'neither YAML nor JSON');
  }
}

const TOO_DEEP = `nests deeper than ${DEEPEST} levels`;
const isTooDeep = (error: unknown): boolean => error instanceof Error && error.message.endsWith(TOO_DEEP);

/** Configurations hold certificates, and those of very many clusters. */
const MOST_CHARACTERS = 16 * 2 ** 20;

/** Undefined where the text is no JSON; YAML may start with a brace too. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (depthOf(value) > DEEPEST) throw new Error(TOO_DEEP);
  return { value };
}
