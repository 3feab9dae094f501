import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Field, Node, ScalarShape, StructShape, UnionShape, Visitor } from '../src/schema/node.ts';
import { declaredTypes } from './declared-types.ts';

/** Holds every declaration against the published facts of the interface, field by field. */

const REFERENCE = join(import.meta.dirname, '../../shared/reference/types.json');

interface ReferenceType {
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [head: string]: unknown;
}

/** Types that are deliberately not declared. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'runtime.Unknown': 'the envelope belongs to the codec',
  'runtime.TypeMeta': 'the envelope belongs to the codec',
  'meta.v1.TypeMeta': 'never a message of its own; `kind()` adds its fields',
  'meta.v1.GroupKind': 'used by no message',
  'meta.v1.GroupResource': 'used by no message',
  'meta.v1.GroupVersion': 'used by no message',
};

/** The reference has no such group. */
const ADDED = /^explain\./;

/** Versions that are off unless asked for; the facts do not list their types, but there are samples of them. */
const OFF = /^(apiserverinternal|authentication|networking)\.v1alpha1\./;

const POLICY_TYPES = [
  'ApplyConfiguration',
  'AuditAnnotation',
  'ExpressionWarning',
  'JSONPatch',
  'MatchCondition',
  'MatchResources',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicyBindingSpec',
  'MutatingAdmissionPolicySpec',
  'Mutation',
  'NamedRuleWithOperations',
  'ParamKind',
  'ParamRef',
  'TypeChecking',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicyBindingSpec',
  'ValidatingAdmissionPolicySpec',
  'ValidatingAdmissionPolicyStatus',
  'Validation',
  'Variable',
];

/** Newer than the reference, and not published. */
const NEWER: ReadonlySet<string> = new Set([
  'apiextensions.v1.SelectableField',
  ...POLICY_TYPES.map((name) => `admissionregistration.v1.${name}`),
]);

/** Not part of the published schema, so nothing is said about their published defaults. */
const UNPUBLISHED = /^admission\./;

const reference: Readonly<Record<string, ReferenceType>> = existsSync(REFERENCE)
  ? JSON.parse(readFileSync(REFERENCE, 'utf8'))
  : {};

/** A list of a kind is derived from the kind: metadata and items, nothing else. */
function isPlainList(name: string, { fields }: ReferenceType): boolean {
  const { metadata, items } = fields;
  return Object.keys(fields).length === 2 && metadata?.type === 'meta.v1.ListMeta' && `${items?.type}List` === name;
}

const expectedNames = Object.entries(reference)
  .filter(([name, type]) => !isPlainList(name, type) && !(name in LEFT_OUT))
  .map(([name]) => name);

describe.skipIf(expectedNames.length === 0)(
  'declared types, against the reference (skipped where there is none)',
  () => {
    let declared: ReadonlyMap<string, Node>;
    beforeAll(async () => {
      declared = await declaredTypes();
    });

    it('are all there, and no others', () => {
      const names = [...declared.keys()].filter((name) => !OFF.test(name) && !ADDED.test(name) && !NEWER.has(name));
      expect(names.sort()).toEqual([...expectedNames].sort());
    });

    it.each(expectedNames)('%s has the fields it should have', (name) => {
      const { gvk: _, ...wanted } = reference[name] ?? { fields: {} };

      const described = declared.get(name)?.accept(DESCRIBE);
      expect(described).toEqual(withoutAudit(wanted));
      expect(Object.keys(described?.fields ?? {})).toEqual(Object.keys(wanted.fields));
    });
  },
);

/** Audit events carry whole objects as they came; their envelope is not written in JSON, the only form they have. */
const withoutAudit = (type: object): unknown =>
  JSON.parse(JSON.stringify(type).replaceAll('"runtime.Unknown"', '"RawExtension"'));

const notAType = (): never => {
  throw new TypeError('only structs and unions have names');
};

const DESCRIBE: Visitor<ReferenceType> = {
  scalar: notAType,
  list: notAType,
  map: notAType,
  loose: notAType,
  struct(shape: StructShape) {
    const { topology, typed, discriminator } = shape;
    const fields = Object.entries(shape.fields).filter(([, { node }]) => !node.facts.unpublished);
    const inBinary = fields.length === 0 || fields.some(([, { number }]) => number !== 0);
    return {
      ...(typed && { typeMeta: true }),
      ...(!inBinary && { proto: false }),
      ...topology,
      ...(discriminator && {
        unions: [{ discriminator: discriminator.field, fields: discriminator.selects }],
      }),
      fields: Object.fromEntries(
        fields.map(([name, field]) => [name, describeField(field, !UNPUBLISHED.test(shape.name))]),
      ),
    };
  },
  union(shape: UnionShape) {
    const forms = Object.entries(shape.forms);
    return {
      jsonForm: 'union',
      fields: Object.fromEntries(
        forms.map(([name, { number, node }]) => [name, describeField({ number, node: node(), inline: false }, false)]),
      ),
    };
  },
};

function describeField({ number, node, inline }: Field, published: boolean): Readonly<Record<string, unknown>> {
  const { presence, required, topology, allowed, suggested } = node.facts;
  const { listType, keys, mapType, mergeKey, patchStrategy } = topology;
  const choices = allowed ?? suggested;
  const fallback = published && !inline ? publishedDefault(node) : undefined;
  const facts = {
    ...node.accept(TYPE),
    n: number === 0 ? undefined : number,
    inline: inline || undefined,
    required: required || undefined,
    ptr: presence === 'optional' || presence === 'nullable' || undefined,
    always: (!inline && (presence === 'always' || presence === 'nullable')) || undefined,
    listType,
    listMapKeys: keys,
    mapType,
    patchMergeKey: mergeKey,
    patchStrategy,
    enum: choices && [...choices].sort(),
    default: fallback,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** The published default of a field without one of its own: its zero, where it is always written. */
function publishedDefault(node: Node): unknown {
  const { presence, publishedDefault: published, default: own } = node.facts;
  if (published) return own;
  return presence === 'always' ? node.accept(ZERO) : undefined;
}

const PRIMITIVES = new Set(['string', 'bool', 'int32', 'int64', 'double']);

const ZERO: Visitor<unknown> = {
  scalar({ scalar }: ScalarShape) {
    if (PRIMITIVES.has(scalar.name)) return scalar.zero;
    return scalar.byValue ? {} : undefined;
  },
  struct: () => ({}),
  list: () => undefined,
  map: () => undefined,
  union: () => undefined,
  loose: () => undefined,
};

const TYPE: Visitor<Readonly<Record<string, unknown>>> = {
  scalar: ({ scalar }) => ({ type: scalar.name }),
  struct: ({ name }) => ({ type: name }),
  union: ({ name }) => ({ type: name }),
  list: (shape) => ({ ...shape.item().accept(TYPE), list: true }),
  map: (shape) => ({ ...shape.item().accept(TYPE), map: true }),
  loose: () => ({ type: 'any' }),
};
