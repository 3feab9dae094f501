/** A schema of OpenAPI v3, as far as it is explained. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly [extension: `x-${string}`]: unknown;
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/** Schemas that refer to each other by name. */
export class Schemas {
  readonly #byName: Readonly<Record<string, Schema>>;

  constructor(byName: Readonly<Record<string, Schema>>) {
    this.#byName = byName;
  }

  ofKind(group: string, version: string, kind: string): Schema | undefined {
    return Object.values(this.#byName).find((schema) => {
      const extension = Object.entries(schema).find(([key]) => key.endsWith('-group-version-kind'))?.[1];
      return (
        Array.isArray(extension) &&
        extension.some((one) => one.group === group && one.version === version && one.kind === kind)
      );
    });
  }

  /** The schema that one refers to; undefined where it stands for itself. */
  target(schema: Schema): Schema | undefined {
    const name = refName(schema);
    return name === undefined ? undefined : this.#byName[name];
  }

  /** What fields are below a value: of what it refers to, of its items or of its values. */
  structure(schema: Schema): { readonly schema: Schema; readonly name: string | undefined } {
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
    const inner = schema.items ?? values;
    if (inner) return this.structure(inner);
    return { schema: this.target(schema) ?? schema, name: refName(schema) };
  }

  /** `[]Container`, `map[string]string`, `integer`. */
  typeName(schema: Schema): string {
    if (schema.items) return `[]${this.typeName(schema.items)}`;
    const name = refName(schema);
    if (name !== undefined) {
      const { type = 'object', format } = this.#byName[name] ?? {};
      // A time is a text to whoever writes one.
      return SCALARS.has(type) && format !== 'int-or-string' ? type : (name.split('.').at(-1) ?? name);
    }
    if (typeof schema.additionalProperties === 'object') {
      return `map[string]${this.typeName(schema.additionalProperties)}`;
    }
    return schema.type ?? 'Object';
  }
}

function refName({ $ref, allOf }: Schema): string | undefined {
  const reference = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined);
  return reference?.split('/').at(-1);
}
