import { expect, it } from 'vitest';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { type RuleSchema, SchemaTypes } from './schema-types.ts';

const names = vocabularies.platform.openapiExtensions;
const TEXT = { type: 'string' };

/** The names of fields that expressions can select. */
function fieldsOf(properties: Readonly<Record<string, RuleSchema>>): string[] {
  const type = new SchemaTypes(names).typeOf({ type: 'object', properties }, false);
  return type?.kind === 'object' ? [...type.fields.keys()] : [];
}

it('names the fields whose schemas give them a type, and no others', () => {
  const untyped = {};
  expect(
    fieldsOf({
      text: TEXT,
      either: { [names.intOrString]: true } as RuleSchema,
      list: { type: 'array', items: TEXT },
      map: { type: 'object', additionalProperties: TEXT },
      open: { type: 'object', additionalProperties: true },
      object: { type: 'object', properties: { untyped } },
      untyped,
      untypedList: { type: 'array', items: untyped },
      manyLists: { type: 'array', items: [TEXT] },
      bareList: { type: 'array' },
      untypedMap: { type: 'object', additionalProperties: { type: 'array', items: untyped } },
    }),
  ).toEqual(['text', 'either', 'list', 'map', 'open', 'object']);
});

it('does not look into a field before somebody asks for its type', () => {
  let looks = 0;
  const inner: RuleSchema = {
    type: 'object',
    get properties() {
      looks++;
      return { text: TEXT };
    },
  };
  const type = new SchemaTypes(names).typeOf({ type: 'object', properties: { inner } }, false);
  expect(looks).toBe(0);
  const field = type?.kind === 'object' ? type.fields.get('inner') : undefined;
  expect(field?.type).toMatchObject({ kind: 'object' });
  expect(field?.type).toBe(field?.type);
  expect(looks).toBe(1);
});
