/** Labels of an object, or the lack of them. */
export type Labels = Readonly<Record<string, string>> | undefined;

type Operator = 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  /** The values, where they are many. */
  readonly set?: ReadonlySet<string>;
}

/**
 * A selector of a list or watch has no more requirements than this: a watch holds each of them against every change of its
 * kind. Values of one requirement cost nothing, however many.
 */
export const MOST_REQUIREMENTS = 100;
/** More values than this are looked up instead of gone over. */
const FEW_VALUES = 8;

/** A label selector in its text form, parsed. All requirements must hold; none at all matches everything. */
export class LabelSelector {
  readonly #requirements: readonly Requirement[];

  constructor(requirements: readonly Requirement[]) {
    this.#requirements = requirements.map((requirement) =>
      requirement.values.length > FEW_VALUES ? { ...requirement, set: new Set(requirement.values) } : requirement,
    );
  }

  get everything(): boolean {
    return this.#requirements.length === 0;
  }

  matches(labels: Labels): boolean {
    return this.#requirements.every((requirement) => holds(requirement, labels));
  }
}

function holds(requirement: Requirement, labels: Labels): boolean {
  const { key, operator, values } = requirement;
  const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'in':
      return value !== undefined && isAmong(requirement, value);
    case 'notin':
      return value === undefined || !isAmong(requirement, value);
    default:
      return value !== undefined && compare(operator, value, values[0] ?? '');
  }
}

const isAmong = ({ values, set }: Requirement, value: string): boolean =>
  set ? set.has(value) : values.includes(value);

const INTEGER = /^[+-]?\d+$/;

function compare(operator: 'gt' | 'lt', value: string, bound: string): boolean {
  if (!INTEGER.test(value) || !INTEGER.test(bound)) return false;
  const difference = BigInt(value) - BigInt(bound);
  return operator === 'gt' ? difference > 0n : difference < 0n;
}

/** Why a selector text is refused. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

export const tooMany = () => new SelectorError(`a selector must have at most ${MOST_REQUIREMENTS} requirements`);

const TOKEN = /\s*(?:(!=|==|=|!|,|\(|\)|<|>)|([^\s!=,()<>]+))/y;

function tokens(text: string): string[] {
  const found: string[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (!token) throw new SelectorError(`unable to parse requirement: found ${JSON.stringify(text.slice(at))}`);
    found.push(token[1] ?? token[2] ?? '');
  }
  return found;
}

const SYMBOLS = new Set(['!=', '==', '=', '!', ',', '(', ')', '<', '>']);

/** Reads requirements off a list of tokens. */
class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokens(text);
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    while (this.#at < this.#tokens.length) {
      if (requirements.length === MOST_REQUIREMENTS) throw tooMany();
      requirements.push(this.#requirement());
      if (this.#at < this.#tokens.length) this.#expect(',');
      else break;
      if (this.#at === this.#tokens.length) throw this.#found('identifier after ","');
    }
    return requirements;
  }

  #requirement(): Requirement {
    if (this.#tokens[this.#at] === '!') {
      this.#at++;
      return { key: checkKey(this.#word()), operator: 'absent', values: [] };
    }
    const key = checkKey(this.#word());
    const next = this.#tokens[this.#at];
    if (next === undefined || next === ',') return { key, operator: 'exists', values: [] };
    this.#at++;
    if (next === '=' || next === '==') return { key, operator: 'in', values: [checkValue(this.#optionalWord())] };
    if (next === '!=') return { key, operator: 'notin', values: [checkValue(this.#optionalWord())] };
    if (next === '<' || next === '>') return { key, operator: next === '<' ? 'lt' : 'gt', values: [this.#integer()] };
    if (next === 'in' || next === 'notin') return { key, operator: next, values: this.#values() };
    this.#at--;
    throw this.#found('in, notin, =, ==, !=, gt, lt');
  }

  #integer(): string {
    const word = this.#word();
    if (!INTEGER.test(word))
      throw new SelectorError(
        `unable to parse requirement: values[0]: Invalid value: ${JSON.stringify(word)}: ` +
          "for 'Gt', 'Lt' operators, the value must be an integer",
      );
    return checkValue(word);
  }

  #values(): string[] {
    this.#expect('(');
    const values = [checkValue(this.#optionalWord())];
    while (this.#tokens[this.#at] === ',') {
      this.#at++;
      values.push(checkValue(this.#optionalWord()));
    }
    this.#expect(')');
    return values;
  }

  #word(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined || SYMBOLS.has(token)) throw this.#found('identifier');
    this.#at++;
    return token;
  }

  #optionalWord(): string {
    const token = this.#tokens[this.#at];
    return token === undefined || SYMBOLS.has(token) ? '' : this.#word();
  }

  #expect(symbol: string): void {
    if (this.#tokens[this.#at] !== symbol) throw this.#found(`'${symbol}'`);
    this.#at++;
  }

  #found(expected: string): SelectorError {
    const token = this.#tokens[this.#at];
    return new SelectorError(`unable to parse requirement: found '${token ?? ''}', expected: ${expected}`);
  }
}

const KEY =
  /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const VALUE = /^(?:(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

function checkKey(key: string): string {
  const name = key.slice(key.indexOf('/') + 1);
  if (!KEY.test(key) || name.length > 63)
    throw new SelectorError(`key: Invalid value: "${key}": not a valid label key`);
  return key;
}

function checkValue(value: string): string {
  if (!VALUE.test(value) || value.length > 63) {
    throw new SelectorError(`values[0]: Invalid value: "${value}": not a valid label value`);
  }
  return value;
}

export const EVERY_LABEL = new LabelSelector([]);

/** Parses the text form: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`. */
export function parseLabelSelector(text: string | null): LabelSelector {
  if (text === null || text.trim() === '') return EVERY_LABEL;
  return new LabelSelector(new Parser(text).parse());
}

/** The structured form that objects carry. */
export interface StructuredSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const STRUCTURED: Readonly<Record<string, Operator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: 'absent',
};

/** An absent selector matches nothing, an empty one everything. */
export function fromStructured(selector: StructuredSelector | null | undefined): LabelSelector | undefined {
  if (!selector) return undefined;
  const equalities = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): Requirement => ({ key, operator: 'in', values: [value] }),
  );
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }): Requirement => {
    const known = STRUCTURED[operator];
    if (!known) throw new SelectorError(`"${operator}" is not a valid label selector operator`);
    return { key, operator: known, values: values ?? [] };
  });
  return new LabelSelector([...equalities, ...expressions]);
}
