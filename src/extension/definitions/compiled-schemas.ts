import { BoundedCache, textBytes } from '../../bounds/bounded-cache.ts';
import type { JSONSchemaProps } from '../../kinds/apiextensions/json-schema.ts';
import { type CompiledSchema, type CompileOptions, compileSchema } from '../../kinds/apiextensions/schema/compile.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { RuleMeter } from '../rules/rule-meter.ts';
import { rulesOf, type SchemaRules } from '../rules/rules.ts';

const CAPACITY = 64 << 20;
/** What a compiled schema takes beside its text, and how much more than that. */
const LEAST_BYTES = 4 << 10;
const COMPILED_FACTOR = 6;
/** A kind that nobody used for so long is compiled anew by whoever is next. */
const KEEP_IDLE_MS = 10 * 60_000;

/** A schema that is compiled when it is needed. */
export interface SchemaSource {
  readonly compiled: Compiled;
}

interface Compiled extends CompiledSchema {
  /** Undefined: it has none. */
  readonly rules: SchemaRules | undefined;
}

export interface CompiledSchemaParts {
  readonly vocabulary: Vocabulary;
  readonly meter: RuleMeter;
  /** Parts that an update leaves alone may be wrong: they were right when they were written. */
  readonly ratcheting: boolean;
}

/**
 * The compiled schemas of all custom kinds of a server. There may be thousands, of which a few are used at a time: what is
 * kept of the others is the text of their schema.
 */
export class CompiledSchemas {
  readonly #parts: CompiledSchemaParts;
  readonly #cache = new BoundedCache<SchemaSource, { readonly compiled: Compiled; readonly bytes: number }>({
    name: 'compiled-schemas',
    capacity: CAPACITY,
    sizeOf: (_, { bytes }) => bytes,
    keepIdleMs: KEEP_IDLE_MS,
  });

  constructor(parts: CompiledSchemaParts) {
    this.#parts = parts;
  }

  /** `text`: JSON of a schema, or `null`. */
  source(text: string, options: Omit<CompileOptions, 'vocabulary' | 'ratcheting'>): SchemaSource {
    const { vocabulary, ratcheting } = this.#parts;
    const find = (source: SchemaSource): Compiled => {
      const known = this.#cache.get(source);
      if (known) return known.compiled;
      const parsed: JSONSchemaProps | null = JSON.parse(text);
      const schema = compileSchema(parsed ?? undefined, { ...options, vocabulary, ratcheting });
      const compiled = {
        schema: schema.schema,
        validateInSteps: schema.validateInSteps.bind(schema),
        rules: parsed ? rulesOf(parsed, this.#parts) : undefined,
      };
      this.#cache.set(source, { compiled, bytes: LEAST_BYTES + COMPILED_FACTOR * textBytes(text) });
      return compiled;
    };
    return {
      get compiled() {
        return find(this);
      },
    };
  }
}
