import { MOST_REQUIREMENTS, SelectorError, tooMany } from './label-selector.ts';

interface Term {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

/** A parsed field selector: all terms must hold. */
export class FieldSelector {
  readonly terms: readonly Term[];

  constructor(terms: readonly Term[]) {
    this.terms = terms;
  }

  get everything(): boolean {
    return this.terms.length === 0;
  }

  /** `read` gives the value of a field that was found to be selectable. */
  matches(read: (field: string) => string): boolean {
    return this.terms.every(({ field, value, equal }) => (read(field) === value) === equal);
  }

  /** The value that `field` must have, when the selector fixes it. */
  required(field: string): string | undefined {
    return this.terms.find((term) => term.field === field && term.equal)?.value;
  }
}

export const EVERY_FIELD = new FieldSelector([]);

/** Parses `a=b,c==d,e!=f`; a backslash keeps the next `\`, `,` or `=` from being special. */
export function parseFieldSelector(text: string | null): FieldSelector {
  if (text === null || text === '') return EVERY_FIELD;
  const terms = splitTerms(text).filter((term) => term !== '');
  if (terms.length > MOST_REQUIREMENTS) throw tooMany();
  return new FieldSelector(terms.map(parseTerm));
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let term = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') term += character + text.charAt(++at);
    else if (character === ',') {
      terms.push(term);
      term = '';
    } else term += character;
  }
  return [...terms, term];
}

function parseTerm(term: string): Term {
  for (let at = 0; at < term.length; at++) {
    const rest = term.slice(at);
    if (rest.startsWith('\\')) at++;
    else if (rest.startsWith('!='))
      return { field: term.slice(0, at), value: unquote(term.slice(at + 2)), equal: false };
    else if (rest.startsWith('=='))
      return { field: term.slice(0, at), value: unquote(term.slice(at + 2)), equal: true };
    else if (rest.startsWith('=')) return { field: term.slice(0, at), value: unquote(term.slice(at + 1)), equal: true };
  }
  throw new SelectorError(`invalid selector: '${term}'; can't understand '${term}'`);
}

function unquote(value: string): string {
  let plain = '';
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at);
    if (character !== '\\') {
      if (character === '=') throw new SelectorError(`invalid field selector value "${value}": unescaped "="`);
      plain += character;
      continue;
    }
    const escaped = value.charAt(++at);
    if (escaped !== '\\' && escaped !== ',' && escaped !== '=') {
      throw new SelectorError(`invalid field selector value "${value}": unknown escape`);
    }
    plain += escaped;
  }
  return plain;
}
