/** A mapping as it was written, fields that nobody here knows included. */
export type Fields = Readonly<Record<string, unknown>>;

/** A mapping of a configuration file and where it stands, for messages. */
export interface FieldNode {
  readonly fields: Fields;
  readonly path: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

export const pathTo = (node: FieldNode, name: string): string => (node.path === '' ? name : `${node.path}.${name}`);

export function asNode(value: unknown, path: string): FieldNode {
  if (!isRecord(value)) throw new Error(`${path || 'client configuration'}: expected a mapping`);
  return { fields: value, path };
}

/** The mapping below a field; undefined where there is none. */
export function nodeField(node: FieldNode, name: string): FieldNode | undefined {
  const value = node.fields[name];
  return isPresent(value) ? asNode(value, pathTo(node, name)) : undefined;
}

/** An empty text counts as none, as configuration tools write it for fields that were cleared. */
export function textField(node: FieldNode, name: string): string | undefined {
  const value = node.fields[name];
  if (!isPresent(value) || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`${pathTo(node, name)}: expected a string`);
  return value;
}

export function requiredText(node: FieldNode, name: string): string {
  const value = textField(node, name);
  if (value === undefined) throw new Error(`${pathTo(node, name)}: missing`);
  return value;
}

export function flagField(node: FieldNode, name: string): boolean {
  const value = node.fields[name] ?? false;
  if (typeof value !== 'boolean') throw new Error(`${pathTo(node, name)}: expected true or false`);
  return value;
}

export function listField(node: FieldNode, name: string): readonly unknown[] {
  const value = node.fields[name] ?? [];
  if (!Array.isArray(value)) throw new Error(`${pathTo(node, name)}: expected a list`);
  return value;
}

export function textsField(node: FieldNode, name: string): readonly string[] {
  return listField(node, name).map((item) => {
    if (typeof item !== 'string') throw new Error(`${pathTo(node, name)}: expected a list of strings`);
    return item;
  });
}

/** The mappings of a list. */
export const nodesField = (node: FieldNode, name: string): readonly FieldNode[] =>
  listField(node, name).map((item, index) => asNode(item, `${pathTo(node, name)}[${index}]`));

export function expectWord(node: FieldNode, name: string, word: string): void {
  const value = textField(node, name);
  if (value !== undefined && value !== word) throw new Error(`${name}: expected ${word}, found ${value}`);
}
