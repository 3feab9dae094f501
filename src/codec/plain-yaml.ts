/**
 * The YAML that programs write for themselves, client configurations above all: mappings and lists in blocks, texts in one
 * line. Read in a fraction of the time that a library takes to load. Whatever else the language has (anchors, tags, flow
 * collections, folded texts, several documents, scalars that need a schema to tell) is no plain YAML, and is left to it.
 */

/** Undefined where the text is not plain, even if it is YAML. */
export function parsePlainYaml(text: string): { readonly value: unknown } | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  try {
    return { value: new PlainReader(text).read() };
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

const MOST_CHARACTERS = 4 * 2 ** 20;
const MOST_DEPTH = 32;

class NotPlain extends Error {}

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** `key:` and what follows it; keys that need quotes are not plain. */
const PAIR = /^([A-Za-z][\w./-]*):(?: (.*))?$/;
/** Words that mean something else than themselves, and numbers. */
const SPECIAL = /^(?:~|null|true|false|yes|no|on|off|y|n|[-+.\d].*)$/i;
const BARE = /^[A-Za-z/][\w./@+=~-]*(?::[\w./@+=~-]+)*$/;

class PlainReader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(text: string) {
    const lines: Line[] = [];
    for (const line of text.split('\n')) {
      const content = line.trimStart();
      if (content === '' || content.startsWith('#')) continue;
      if (/[\t\r]|\s$/.test(line)) throw new NotPlain();
      lines.push({ indent: line.length - content.length, text: content });
    }
    this.#lines = lines;
  }

  read(): unknown {
    const [first] = this.#lines;
    if (first?.indent !== 0) throw new NotPlain();
    const value = this.#block(0, 0);
    if (this.#at < this.#lines.length) throw new NotPlain();
    return value;
  }

  #block(indent: number, depth: number): unknown {
    if (depth > MOST_DEPTH) throw new NotPlain();
    return this.#lines[this.#at]?.text.startsWith('- ') ? this.#list(indent, depth) : this.#mapping(indent, depth);
  }

  #list(indent: number, depth: number): unknown[] {
    const items: unknown[] = [];
    for (;;) {
      const line = this.#lines[this.#at];
      if (!line || line.indent < indent || (line.indent === indent && !line.text.startsWith('- '))) return items;
      if (line.indent > indent) throw new NotPlain();
      const text = line.text.slice(2);
      if (text.startsWith(' ') || text.startsWith('- ')) throw new NotPlain();
      if (PAIR.test(text)) items.push(this.#mapping(indent + 2, depth + 1, text));
      else {
        items.push(scalar(text));
        this.#at++;
      }
    }
  }

  /** `first` stands after the dash of a list. */
  #mapping(indent: number, depth: number, first?: string): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    let text = first;
    for (;;) {
      const line = this.#lines[this.#at];
      if (text === undefined) {
        if (!line || line.indent < indent || line.text.startsWith('- ')) return mapping;
        if (line.indent > indent) throw new NotPlain();
      }
      const [, key, rest] = PAIR.exec(text ?? line?.text ?? '') ?? [];
      if (key === undefined || Object.hasOwn(mapping, key) || SPECIAL.test(key)) throw new NotPlain();
      text = undefined;
      this.#at++;
      mapping[key] = rest === undefined || rest === '' ? this.#below(indent, depth) : scalar(rest);
    }
  }

  /** What is below a key: a block that is indented, or a list that need not be. */
  #below(indent: number, depth: number): unknown {
    const next = this.#lines[this.#at];
    if (next && next.indent > indent) return this.#block(next.indent, depth + 1);
    if (next?.indent === indent && next.text.startsWith('- ')) return this.#list(indent, depth + 1);
    return null;
  }
}

/** A value in one line. */
function scalar(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === '{}') return {};
  if (text === '[]') return [];
  if (text === 'null') return null;
  if (/^"[^"\\]*"$/.test(text) || /^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (!BARE.test(text) || SPECIAL.test(text)) throw new NotPlain();
  return text;
}
