import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange, readAs, TEST_CONTEXT } from '../../../test/problems-of.ts';
import { Problems } from '../../schema/problems.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import {
  validateDefinition,
  validateDefinitionCreate,
  validateDefinitionUpdate,
  validateStoredVersions,
} from './definition-validation.ts';

const v = vocabularies.platform;
const schema = customResourceDefinition(v);
const rules = { validate: validateDefinition, validateCreate: validateDefinitionCreate };

const spec = { type: 'object', properties: { size: { type: 'integer' } } };
const version = (change: object = {}): object => ({
  ...{ name: 'v1', served: true, storage: true },
  ...{ schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } },
  ...change,
});

const definition = {
  metadata: { name: 'lions.zoo.example' },
  spec: {
    group: 'zoo.example',
    names: { plural: 'lions', kind: 'Lion' },
    scope: 'Namespaced',
    versions: [version()],
  },
};

const problems = (change: unknown): string[] => problemsOf(schema, rules, changed(definition, change));
const withVersions = (...versions: object[]): string[] => problems({ spec: { versions } });

/** The schema of the only version is told where older definitions had it. */
const ROOT = 'spec.validation.openAPIV3Schema';
const withSchema = (openAPIV3Schema: object, more: object = {}): string[] =>
  withVersions(version({ schema: { openAPIV3Schema }, ...more }));
/** A schema with one field, and what is wrong with that field, told from there. */
const withField = (field: object): string[] =>
  withSchema({ type: 'object', properties: { x: field } }).map((cause) => cause.replace(`${ROOT}.properties[x]`, 'x'));

describe('a definition', () => {
  it('is fine as it is', () => {
    expect(problems({})).toEqual([]);
  });

  it.each([
    [{ metadata: { name: 'tigers.zoo.example' } }, ['Invalid metadata.name']],
    [{ metadata: { name: 'lions.zoo' }, spec: { group: 'zoo' } }, ['Invalid spec.group']],
    [{ metadata: { name: 'lions.' }, spec: { group: '' } }, ['Required spec.group']],
    [{ spec: { scope: null } }, ['Required spec.scope']],
    [{ spec: { scope: 'Everywhere' } }, ['NotSupported spec.scope']],
    [{ spec: { preserveUnknownFields: true } }, ['Invalid spec.preserveUnknownFields']],
    [
      { spec: { names: { kind: 'Big Lion' } } },
      ['Invalid spec.names.kind', 'Invalid spec.names.listKind', 'Invalid spec.names.singular'],
    ],
    [{ spec: { names: { listKind: 'Lion' } } }, ['Invalid spec.names.listKind']],
    [
      { spec: { names: { shortNames: ['l', 'L'], categories: ['all', ''] } } },
      ['Invalid spec.names.categories[1]', 'Invalid spec.names.shortNames[1]'],
    ],
    [
      { spec: { names: { kind: null } } },
      ['Required spec.names.kind', 'Required spec.names.listKind', 'Required spec.names.singular'],
    ],
  ])('with %j is refused', (change, expected) => {
    expect(problems(change)).toEqual(expected);
  });

  it('in a group of ours needs an approval, or must admit to having none', () => {
    const protectedGroup = (annotations: object) => ({
      metadata: { name: `lions.zoo.${v.domains.groups}`, annotations },
      spec: { group: `zoo.${v.domains.groups}` },
    });
    const field = `metadata.annotations[${v.annotations.apiApproved}]`;
    const approved = (text: string) => problems(protectedGroup({ [v.annotations.apiApproved]: text }));
    expect(problems(protectedGroup({}))).toEqual([`Required ${field}`]);
    expect(approved('yes')).toEqual([`Invalid ${field}`]);
    expect([...approved('unapproved, a try'), ...approved('https://example.org/42')]).toEqual([]);
  });
});

describe('versions', () => {
  it.each([
    [[], ['Invalid spec.versions']],
    [[version(), version({ name: 'v2' })], ['Invalid spec.versions']],
    [[version({ storage: false })], ['Invalid spec.versions']],
    [[version(), version({ storage: false })], ['Invalid spec.versions']],
    [[version({ name: 'V1' })], ['Invalid spec.versions[0].name']],
    [[version({ schema: null })], ['Required spec.versions[0].schema.openAPIV3Schema']],
    [[version({ deprecationWarning: 'old' })], ['Invalid spec.versions[0].deprecationWarning']],
    [[version({ deprecated: true, deprecationWarning: '' })], ['Invalid spec.versions[0].deprecationWarning']],
    [
      [version({ deprecated: true, deprecationWarning: 'x'.repeat(257) })],
      ['Invalid spec.versions[0].deprecationWarning'],
    ],
    [[version({ deprecated: true, deprecationWarning: 'old' })], []],
  ])('%# are judged one by one and together', (versions, expected) => {
    expect(withVersions(...versions)).toEqual(expected);
  });

  it('have columns that can be read, told at the top when all versions agree on them', () => {
    const bad = [
      { name: '', type: 'text', format: 'hex', jsonPath: 'spec' },
      { name: 'A', type: 'string', jsonPath: '.a' },
    ];
    const fields = ['JSONPath', 'format', 'type'].map((field) => `Invalid AT[0].${field}`);
    const at = (path: string) => [...fields, 'Required AT[0].name'].map((cause) => cause.replace('AT', path));
    expect(withVersions(version({ additionalPrinterColumns: bad }))).toEqual(at('spec.additionalPrinterColumns'));
    expect(withVersions(version(), version({ name: 'v2', storage: false, additionalPrinterColumns: bad }))).toEqual(
      at('spec.versions[1].additionalPrinterColumns'),
    );
  });

  it('have scales that point to where they should', () => {
    const scale = (change: object) => ({
      subresources: { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', ...change } },
    });
    const at = 'spec.subresources.scale';
    expect(withVersions(version(scale({ labelSelectorPath: '.status.s' })))).toEqual([]);
    expect(
      withVersions(version(scale({ specReplicasPath: '.status.n', statusReplicasPath: 'n', labelSelectorPath: '.x' }))),
    ).toEqual([
      `Invalid ${at}.labelSelectorPath`,
      `Invalid ${at}.specReplicasPath`,
      `Invalid ${at}.statusReplicasPath`,
    ]);
    expect(withVersions(version(scale({ specReplicasPath: '' })))).toEqual([`Required ${at}.specReplicasPath`]);
  });
});

describe('conversion', () => {
  const clientConfig = { url: 'https://127.0.0.1/convert' };
  const webhook = { clientConfig, conversionReviewVersions: ['v1'] };

  it.each([
    [{ strategy: 'None' }, []],
    [{ strategy: 'Webhook', webhook }, []],
    [{ strategy: 'Magic' }, ['NotSupported spec.conversion.strategy']],
    [
      { strategy: 'None', webhook },
      ['Forbidden spec.conversion.conversionReviewVersions', 'Forbidden spec.conversion.webhookClientConfig'],
    ],
    [
      { strategy: 'Webhook' },
      ['Required spec.conversion.conversionReviewVersions', 'Required spec.conversion.webhookClientConfig'],
    ],
    [
      { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v7', 'v7'] } },
      ['Invalid spec.conversion.conversionReviewVersions', 'Invalid spec.conversion.conversionReviewVersions[1]'],
    ],
    [
      { strategy: 'Webhook', webhook: { ...webhook, clientConfig: {} } },
      ['Required spec.conversion.webhookClientConfig'],
    ],
  ])('%j', (conversion, expected) => {
    expect(problems({ spec: { conversion } })).toEqual(expected);
  });
});

describe('a schema', () => {
  const names = v.openapiExtensions;
  const intOrString = { [names.intOrString]: true };
  const list = (change: object, items: object = { type: 'string' }) => ({ type: 'array', items, ...change });
  const map = (items: object, keys: readonly string[] = ['k']) =>
    list({ [names.listType]: 'map', [names.listMapKeys]: keys }, { type: 'object', ...items });

  it.each([
    [{}, ['Required type']],
    [{ type: 'string' }, ['Invalid type']],
    [{ type: 'object', additionalProperties: { type: 'string' } }, ['Forbidden additionalProperties']],
    [{ type: 'object', nullable: true }, ['Forbidden nullable']],
    [{ type: 'object', properties: { metadata: { type: 'object', properties: { name: { type: 'string' } } } } }, []],
    [
      { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      ['Forbidden properties[metadata]'],
    ],
    [{ type: 'object', properties: { metadata: { type: 'string' } } }, ['Invalid properties[metadata].type']],
  ])('whose root is %j', (root, expected) => {
    expect(withSchema(root)).toEqual(expected.map((cause) => cause.replace(' ', ` ${ROOT}.`)));
  });

  it('says nothing at its root that would concern desired state or status alone', () => {
    const root = { type: 'object', properties: { spec }, required: ['spec'], minProperties: 1 };
    expect(withSchema(root)).toEqual([]);
    expect(withSchema(root, { subresources: { status: {} } })).toEqual([`Invalid ${ROOT}`]);
  });

  it.each([
    [{}, ['Required x.type']],
    [{ [names.preserveUnknownFields]: true }, []],
    [{ type: 'object', [names.preserveUnknownFields]: false }, [`Invalid x.${names.preserveUnknownFields}`]],
    [{ type: 'null' }, ['Forbidden x.type']],
    [{ type: 'text' }, ['NotSupported x.type']],
    [{ type: 'array' }, ['Required x.items']],
    [{ type: 'array', items: {} }, ['Required x.items.type']],
    [{ type: 'array', items: [{ type: 'string' }] }, ['Forbidden x.items']],
    [{ type: 'object', additionalProperties: {} }, ['Required x.additionalProperties.type']],
    [{ type: 'object', additionalProperties: true }, []],
    [{ type: 'object', additionalProperties: false }, []],
    [{ $ref: '#/y' }, ['Forbidden x.$ref']],
    [
      { type: 'object', additionalProperties: true, properties: { y: { type: 'string' } } },
      ['Forbidden x.additionalProperties'],
    ],
    [list({ uniqueItems: true }), ['Forbidden x.uniqueItems']],
    [{ type: 'object', $ref: '#/y', id: 'y', definitions: {} }, ['Forbidden x.$ref', 'Forbidden x.id']],
    [
      { type: 'object', properties: { y: { properties: { z: {} } } } },
      ['Required x.properties[y].properties[z].type', 'Required x.properties[y].type'],
    ],
    [{ type: 'string', [names.embeddedResource]: true }, ['Invalid x.type', 'Required x.properties']],
    [{ type: 'object', [names.embeddedResource]: true, [names.preserveUnknownFields]: true }, []],
    [
      { type: 'string', [names.validations]: [{ rule: ' ', message: 'a\nb' }] },
      [`Invalid x.${names.validations}[0].message`, `Required x.${names.validations}[0].rule`],
    ],
  ])('with a field %j', (field, expected) => {
    expect(withField(field)).toEqual(expected);
  });

  it.each([
    [{ type: 'integer', anyOf: [{ minimum: 1 }, { not: { maximum: 5 } }] }, []],
    [{ type: 'integer', anyOf: [{ type: 'integer', minimum: 1 }] }, ['Forbidden x.anyOf[0].type']],
    [
      { type: 'integer', not: { default: 1, title: 'a', description: 'b', nullable: true } },
      ['default', 'description', 'nullable', 'title'].map((field) => `Forbidden x.not.${field}`),
    ],
    [
      { type: 'object', oneOf: [{ [names.preserveUnknownFields]: true }] },
      [`Forbidden x.oneOf[0].${names.preserveUnknownFields}`],
    ],
    [
      {
        type: 'object',
        properties: { y: { type: 'string' } },
        allOf: [{ properties: { y: { minLength: 1 } }, required: ['y'] }],
      },
      [],
    ],
    [{ type: 'object', allOf: [{ properties: { y: { minLength: 1 } } }] }, []],
    [{ ...intOrString }, []],
    [{ ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [{ ...intOrString, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^a' }] }, []],
    [{ ...intOrString, type: 'string' }, []],
  ])('with conditions %j', (field, expected) => {
    expect(withField(field)).toEqual(expected);
  });

  it.each([
    [list({ [names.listType]: 'bag' }), [`NotSupported x.${names.listType}`]],
    [{ type: 'string', [names.listType]: 'atomic' }, ['Invalid x.type']],
    [list({ [names.listType]: 'set' }), []],
    [list({ [names.listType]: 'set' }, { type: 'object' }), [`Invalid x.items.${names.mapType}`]],
    [list({ [names.listType]: 'set' }, { type: 'string', nullable: true }), ['Forbidden x.items.nullable']],
    [map({ properties: { k: { type: 'string' } }, required: ['k'] }), []],
    [map({ properties: { k: { type: 'string', default: 'a' } } }), []],
    [map({ properties: { k: { type: 'string' } } }), ['Required x.items.properties[k].default']],
    [map({ properties: { k: { type: 'object' } }, required: ['k'] }), ['Invalid x.items.properties[k].type']],
    [map({}), [`Invalid x.${names.listMapKeys}`]],
    [map({}, []), [`Required x.${names.listMapKeys}`]],
    [list({ [names.listMapKeys]: ['k'] }), [`Forbidden x.${names.listMapKeys}`]],
    [{ type: 'object', [names.mapType]: 'loose' }, [`NotSupported x.${names.mapType}`]],
    [{ type: 'string', [names.mapType]: 'atomic' }, ['Invalid x.type']],
  ])('that is shared as %j', (field, expected) => {
    expect(withField(field)).toEqual(expected);
  });

  it.each([
    [{ type: 'string', pattern: '(' }, ['Invalid x.pattern']],
    [{ type: 'string', not: { allOf: [{ pattern: '[' }] } }, ['Invalid x.not.allOf[0].pattern']],
    [{ type: 'string', pattern: '((a{100}){100}){100}' }, ['Invalid x.pattern']],
    [list({}, { type: 'string', pattern: '^a+$' }), []],
  ])('with patterns %j', (field, expected) => {
    expect(withField(field)).toEqual(expected);
  });

  it('does not take forever to compile its patterns', () => {
    const pattern = (at: number): string => `(a|${at})`.repeat(250);
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`p${at}`, { type: 'string', pattern: pattern(at) }]),
    );
    expect(withField({ type: 'object', properties })).toEqual([`Forbidden ${ROOT}`]);
  });

  it.each([
    [{ type: 'integer', default: 'x' }, ['TypeInvalid x.default']],
    [{ type: 'string', enum: ['p'], default: 'q' }, ['NotSupported x.default']],
    [{ type: 'string', format: 'date', default: 'q' }, ['TypeInvalid x.default']],
    [{ type: 'object', properties: { d: { type: 'string' } }, required: ['d'], default: {} }, ['Required x.default.d']],
    [{ type: 'object', properties: { d: { type: 'string', default: 'a' } }, required: ['d'], default: {} }, []],
    [{ type: 'object', properties: { d: { type: 'string' } }, default: { e: 1 } }, ['Invalid x.default']],
    [{ type: 'object', [names.preserveUnknownFields]: true, default: { e: { f: null } } }, []],
    [list({ default: ['a', 1] }), ['TypeInvalid x.default[1]']],
    [list({ default: ['a', 'a'], [names.listType]: 'set' }), ['Duplicate x.default[1]']],
    [
      list({}, { type: 'object', properties: { y: { type: 'integer', default: '' } } }),
      ['TypeInvalid x.items.properties[y].default'],
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer', default: '' } },
      ['TypeInvalid x.additionalProperties.default'],
    ],
    [
      { [names.embeddedResource]: true, [names.preserveUnknownFields]: true, type: 'object', default: { kind: 'A' } },
      ['Required x.default.apiVersion'],
    ],
    [
      { [names.embeddedResource]: true, [names.preserveUnknownFields]: true, type: 'object', default: { kind: 1 } },
      ['Invalid x.default'],
    ],
  ])('with defaults %j', (field, expected) => {
    expect(withField(field)).toEqual(expected);
  });
});

describe('a change of a definition', () => {
  const established = changed(definition, { status: { conditions: [{ type: 'Established', status: 'True' }] } });
  const change = { spec: { group: 'x.example', scope: 'Cluster', names: { plural: 'l', kind: 'L', listKind: 'Ls' } } };
  const found = (before: unknown, more: unknown) =>
    problemsOfChange(schema, validateDefinitionUpdate, before, changed(before, more));

  it('keeps group and plural, and once there may be objects also scope and kind', () => {
    expect(found(definition, change)).toEqual(['Invalid spec.group', 'Invalid spec.names.plural']);
    expect(found(established, change)).toEqual([
      ...['Invalid spec.group', 'Invalid spec.names.kind', 'Invalid spec.names.plural', 'Invalid spec.scope'],
    ]);
  });

  it('may leave an old definition as lax as it was, but make none so', () => {
    const lax = { spec: { preserveUnknownFields: true } };
    expect(found(definition, lax)).toEqual(['Invalid spec.preserveUnknownFields']);
    expect(found(changed(definition, lax), {})).toEqual([]);
  });

  it.each([
    [['v1'], []],
    [['v0', 'v1'], ['Invalid status.storedVersions[0]']],
    [['v0'], ['Invalid status.storedVersions', 'Invalid status.storedVersions[0]']],
  ])('cannot note %j as stored when that is not so', (storedVersions, expected) => {
    const check: typeof validateDefinitionUpdate = (after, _old, problems) => validateStoredVersions(after, problems);
    const after = changed(definition, { status: { storedVersions } });
    expect(problemsOfChange(schema, check, definition, after)).toEqual(expected);
  });
});

it('lets others have their turn while it goes through a large schema', () => {
  const parts = (depth: number): object =>
    depth === 0
      ? { type: 'string', pattern: '^a+$', default: 'a' }
      : { type: 'object', properties: { a: parts(depth - 1), b: parts(depth - 1) } };
  const root = { type: 'object', properties: { spec: parts(8) } };
  const large = readAs(
    schema,
    changed(definition, { spec: { versions: [version({ schema: { openAPIV3Schema: root } })] } }),
  );
  const found = new Problems();
  let rests = 0;
  for (const _ of validateDefinition(large, found, TEST_CONTEXT)) rests++;
  expect(found.found).toEqual([]);
  // Shape, patterns and defaults of each of 512 parts.
  expect(rests).toBeGreaterThanOrEqual(3 * 2 ** 9);
});
