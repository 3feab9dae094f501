import { isObject } from '../schema/json-object.ts';
import { readYaml } from './yaml-text.ts';

/** What a configuration document may have at most. */
const MOST_CHARACTERS = 2 ** 20;
const DEEPEST = 32;
const MOST_VALUES = 10_000;

/** What a document must say it is. */
export interface DocumentKind {
  readonly kind: string;
  /** Any of these. */
  readonly apiVersions: readonly string[];
}

/**
 * Reads a configuration document, YAML or JSON. Rejects with an Error of one line: fields must be known, stand there once and be
 * of the right type.
 */
export async function readConfigurationDocument(text: string, wanted: DocumentKind): Promise<ConfigurationFields> {
  if (text.length > MOST_CHARACTERS) throw new Error(`the document is longer than ${MOST_CHARACTERS} characters`);
  const { value, repeated } = await readYaml(text, { deepest: DEEPEST, values: MOST_VALUES });
  if (repeated.length > 0) throw new Error(`${repeated.join(', ')} stands there twice`);
  const { kind, apiVersions } = wanted;
  if (!isObject(value) || value.kind !== kind || !apiVersions.includes(String(value.apiVersion))) {
    throw new Error(`kind ${kind} of apiVersion ${apiVersions.join(' or ')} is wanted`);
  }
  return new ConfigurationFields(value, '');
}

/** The fields of one object in a configuration document, and where it stands. Errors begin with the path of a field. */
export class ConfigurationFields {
  readonly path: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>, path: string) {
    this.#fields = fields;
    this.path = path;
  }

  pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  /** What to throw about a field. */
  problem(name: string, what: string): Error {
    return new Error(`${this.pathOf(name)}: ${what}`);
  }

  /** Refuses every other field. */
  only(...names: readonly string[]): this {
    const unknown = Object.keys(this.#fields).find((name) => !names.includes(name));
    if (unknown !== undefined) throw this.problem(unknown.slice(0, 100), 'unknown field');
    return this;
  }

  /** Null counts as absent. */
  has(name: string): boolean {
    return (this.#fields[name] ?? null) !== null;
  }

  text(name: string): string | undefined {
    const value = this.#fields[name] ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw this.problem(name, 'a text is wanted');
    return value;
  }

  /** A text that is there and not empty. */
  requiredText(name: string): string {
    const value = this.text(name) ?? '';
    if (value === '') throw this.problem(name, 'required');
    return value;
  }

  choice<const C extends string>(name: string, choices: readonly C[]): C {
    const value = this.requiredText(name);
    const chosen = choices.find((one) => one === value);
    if (chosen === undefined) throw this.problem(name, `must be one of ${choices.join(', ')}`);
    return chosen;
  }

  flag(name: string): boolean {
    const value = this.#fields[name] ?? false;
    if (typeof value !== 'boolean') throw this.problem(name, 'true or false is wanted');
    return value;
  }

  texts(name: string, most: number): readonly string[] {
    return this.#list(name, most).map((value, index) => {
      if (typeof value !== 'string' || value === '') throw this.problem(`${name}[${index}]`, 'a text is wanted');
      return value;
    });
  }

  object(name: string): ConfigurationFields | undefined {
    const value = this.#fields[name] ?? undefined;
    return value === undefined ? undefined : fieldsAt(value, this.pathOf(name));
  }

  requiredObject(name: string): ConfigurationFields {
    const value = this.object(name);
    if (!value) throw this.problem(name, 'required');
    return value;
  }

  objects(name: string, most: number): readonly ConfigurationFields[] {
    return this.#list(name, most).map((value, index) => fieldsAt(value, `${this.pathOf(name)}[${index}]`));
  }

  #list(name: string, most: number): readonly unknown[] {
    const value = this.#fields[name] ?? [];
    if (!Array.isArray(value)) throw this.problem(name, 'a list is wanted');
    if (value.length > most) throw this.problem(name, `must have at most ${most} items`);
    return value;
  }
}

function fieldsAt(value: unknown, path: string): ConfigurationFields {
  if (!isObject(value)) throw new Error(`${path}: an object is wanted`);
  return new ConfigurationFields(value, path);
}
