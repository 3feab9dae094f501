import { beforeAll, describe, expect, it } from 'vitest';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { type Json, publishedDefinitions } from './support/published-openapi.ts';

/** Every published definition and property has a description that a person who looks it up can use. */

const SHORTEST = 12;
const LONGEST = 300;
const MAKER = /kube|k8s/i;

interface Described {
  /** `Definition` or `Definition.property`. */
  readonly place: string;
  readonly name: string;
  readonly text: string;
}

const textOf = (schema: unknown): string => {
  const { description } = schema as Json;
  return typeof description === 'string' ? description : '';
};

function describedIn(definitions: Json): Described[] {
  return Object.entries(definitions).flatMap(([name, definition]) => {
    const { properties = {} } = definition as { readonly properties?: Json };
    const own = { place: name, name: name.slice(name.lastIndexOf('.') + 1), text: textOf(definition) };
    const ofProperties = Object.entries(properties).map(([property, schema]) => ({
      ...{ place: `${name}.${property}`, name: property },
      text: textOf(schema),
    }));
    return [own, ...ofProperties];
  });
}

/** A text without case, spaces and punctuation: "The name." and `theName` are alike. */
const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

describe('descriptions of the published schemas', () => {
  let described: readonly Described[];
  const places = (isWrong: (each: Described) => boolean): string[] =>
    described.filter(isWrong).map(({ place }) => place);

  beforeAll(async () => {
    described = describedIn(await publishedDefinitions(vocabularies.platform)('v3'));
  });

  it('exist for every definition and every property', () => {
    expect(described.length).toBeGreaterThan(900);
    expect(places(({ text }) => text.trim().length < SHORTEST)).toEqual([]);
  });

  it('say more than the name', () => {
    expect(places(({ name, text }) => [name, `the${name}`].map(letters).includes(letters(text)))).toEqual([]);
  });

  it('are short enough to be read', () => {
    expect(places(({ text }) => text.length > LONGEST)).toEqual([]);
  });

  it('are sentences without stray spaces', () => {
    expect(places(({ text }) => text !== text.trim() || !text.endsWith('.') || text.includes('  '))).toEqual([]);
  });

  it('do not name the maker of the original', () => {
    expect(places(({ text }) => MAKER.test(text))).toEqual([]);
  });
});
