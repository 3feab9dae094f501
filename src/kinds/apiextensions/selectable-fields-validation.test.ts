import { expect, it } from 'vitest';
import { problemsOf } from '../../../test/problems-of.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { validateDefinition } from './definition-validation.ts';

const TEXT = { type: 'string' };
const properties = {
  metadata: { type: 'object', properties: { name: TEXT } },
  spec: {
    type: 'object',
    properties: {
      text: { ...TEXT, enum: ['a', 'b'] },
      count: { type: 'integer' },
      isOpen: { type: 'boolean' },
      share: { type: 'number' },
      list: { type: 'array', items: TEXT },
      map: { type: 'object', additionalProperties: TEXT },
      either: { 'x-platform-int-or-string': true },
      'a.b': TEXT,
    },
  },
  ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}`, TEXT])),
};

const version = (paths: readonly string[], more: object = {}): object => ({
  ...{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
  selectableFields: paths.map((jsonPath) => ({ jsonPath })),
  ...more,
});

const problems = (...versions: object[]): string[] =>
  problemsOf(
    customResourceDefinition(vocabularies.platform),
    { validate: validateDefinition },
    {
      metadata: { name: 'lions.zoo.example' },
      spec: { group: 'zoo.example', names: { plural: 'lions', kind: 'Lion' }, scope: 'Namespaced', versions },
    },
  );

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `.f${at}`);
const AT = 'spec.selectableFields';

it.each<readonly [paths: readonly string[], expected: readonly string[]]>([
  [['.spec.text', '.spec.count', '.spec.isOpen'], []],
  [many(8), []],
  [many(9), [`TooMany ${AT}`]],
  [[''], [`Required ${AT}[0].jsonPath`]],
  [['spec.text'], [`Invalid ${AT}[0].jsonPath`]],
  [['.spec.none'], [`Invalid ${AT}[0].jsonPath`]],
  [['.spec.__proto__'], [`Invalid ${AT}[0].jsonPath`]],
  [['.spec.list[0]'], [`Invalid ${AT}[0].jsonPath`]],
  [["['spec'].text"], [`Invalid ${AT}[0].jsonPath`]],
  [[".spec['a.b']"], [`Invalid ${AT}[0].jsonPath`]],
  [['.spec.map.any'], [`Invalid ${AT}[0].jsonPath`]],
  [['.metadata.name'], [`Invalid ${AT}[0]`]],
  [['.spec', '.spec.share', '.spec.either'], [0, 1, 2].map((at) => `Invalid ${AT}[${at}]`)],
  [['.spec.text', '.spec.count', '.spec.text'], [`Duplicate ${AT}[2]`]],
])('selectable fields are few, and plain: %j', (paths, expected) => {
  expect(problems(version(paths))).toEqual(expected);
});

it('are told of at the top only where all versions agree on them and on the schema', () => {
  const other = { name: 'v2', storage: false };
  const schema = { openAPIV3Schema: { type: 'object', properties: { f0: { type: 'number' } } } };
  expect(problems(version(['.none']), version(['.none'], other))).toEqual([`Invalid ${AT}[0].jsonPath`]);
  expect(problems(version(['.f0']), version(['.f0'], { ...other, schema }))).toEqual([
    'Invalid spec.versions[1].selectableFields[0]',
  ]);
});
