/**
 * What is wrong with text that is no JSON, in the words of the reference's decoder. Goes over the text once; of the text
 * it shows no more than the one character it stopped at.
 */
export function jsonProblem(text: string): string {
  return new Scanner(text).problem() ?? 'unexpected end of JSON input';
}

/** To look further than this would hold others up for the sake of a message. */
const LONGEST_LOOK = 256 << 10;

const LITERALS = ['true', 'false', 'null'];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what strings must not hold.
const PLAIN_TEXT = /[^"\\\0-\x1f]*/y;
const BLANKS = new Set(' \t\r\n');
const ESCAPED = new Set('"\\/bfnrtu');

/** What may come next, and how a character that may not is told. */
type Expectation = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'after value';

const COMPLAINTS: Readonly<Record<Expectation, string>> = {
  value: 'looking for beginning of value',
  'value or end': 'looking for beginning of value',
  key: 'looking for beginning of object key string',
  'key or end': 'looking for beginning of object key string',
  colon: 'after object key',
  'after value': '',
};

class Scanner {
  readonly #text: string;
  #at = 0;
  /** The brackets that are open. */
  readonly #open: ('{' | '[')[] = [];
  #expects: Expectation = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined: the text ends too soon. */
  problem(): string | undefined {
    for (this.#skipBlanks(); this.#at < this.#text.length; this.#skipBlanks()) {
      if (this.#at > LONGEST_LOOK) return `invalid character after the first ${LONGEST_LOOK}`;
      const wrong = this.#step(this.#text[this.#at] ?? '');
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #step(character: string): string | undefined {
    switch (this.#expects) {
      case 'after value':
        return this.#afterValue(character);
      case 'colon':
        return character === ':' ? this.#goOn('value') : this.#invalid();
      case 'key':
      case 'key or end':
        if (character === '"') return this.#string('colon');
        return character === '}' && this.#expects === 'key or end' ? this.#close() : this.#invalid();
      default:
        if (character === ']' && this.#expects === 'value or end') return this.#close();
        return this.#value(character);
    }
  }

  #value(character: string): string | undefined {
    if (character === '"') return this.#string('after value');
    if (character === '{' || character === '[') {
      this.#open.push(character);
      return this.#goOn(character === '{' ? 'key or end' : 'value or end');
    }
    const literal = LITERALS.find((word) => word.startsWith(character));
    if (literal !== undefined) return this.#literal(literal);
    NUMBER.lastIndex = this.#at;
    if (NUMBER.exec(this.#text) === null) return this.#invalid();
    this.#at = NUMBER.lastIndex;
    this.#expects = 'after value';
    return undefined;
  }

  #afterValue(character: string): string | undefined {
    const around = this.#open.at(-1);
    if (around === undefined) return this.#invalid('after top-level value');
    if (character === ',') return this.#goOn(around === '{' ? 'key' : 'value');
    if (character === (around === '{' ? '}' : ']')) return this.#close();
    return this.#invalid(around === '{' ? 'after object key:value pair' : 'after array element');
  }

  #close(): undefined {
    this.#open.pop();
    this.#goOn('after value');
  }

  #string(next: Expectation): string | undefined {
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      this.#skipPlainText();
      if (this.#at >= this.#text.length) return undefined;
      const character = this.#text[this.#at] ?? '';
      if (character === '"') return this.#goOn(next);
      if (character < ' ') return this.#invalid('in string literal');
      if (character !== '\\') continue;
      this.#at++;
      if (this.#at < this.#text.length && !ESCAPED.has(this.#text[this.#at] ?? '')) {
        return this.#invalid('in string escape code');
      }
    }
    return undefined;
  }

  #literal(word: string): string | undefined {
    for (const expected of word) {
      if (this.#at >= this.#text.length) return undefined;
      if (this.#text[this.#at] !== expected) return this.#invalid(`in literal ${word} (expecting '${expected}')`);
      this.#at++;
    }
    this.#expects = 'after value';
    return undefined;
  }

  #goOn(next: Expectation): undefined {
    this.#at++;
    this.#expects = next;
  }

  #skipPlainText(): void {
    PLAIN_TEXT.lastIndex = this.#at;
    this.#at += PLAIN_TEXT.exec(this.#text)?.[0].length ?? 0;
  }

  #skipBlanks(): void {
    while (BLANKS.has(this.#text[this.#at] ?? '')) this.#at++;
  }

  #invalid(where = COMPLAINTS[this.#expects]): string {
    return `invalid character ${quoted(this.#text[this.#at] ?? '')} ${where}`;
  }
}

const quoted = (character: string): string => {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  return `'${JSON.stringify(character).slice(1, -1)}'`;
};
