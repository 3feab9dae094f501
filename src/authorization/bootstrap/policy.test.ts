import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import { vocabularies, vocabularyNames } from '../../vocabulary/vocabulary.ts';
import { bootstrapRoleBindings, bootstrapRoles } from './namespaced-roles.ts';
import { bootstrapClusterRoleBindings, bootstrapClusterRoles, bootstrapPolicy, type PolicyObject } from './policy.ts';

const v = vocabularies.platform;
const placeOf = ({ kind, metadata }: PolicyObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

describe('the bootstrap policy', () => {
  it('names every object once', () => {
    const places = bootstrapPolicy(v).map(placeOf);
    expect(places.filter((place, i) => places.indexOf(place) !== i)).toEqual([]);
  });

  it('binds only roles that it has', () => {
    const roles = new Set(bootstrapPolicy(v).map(placeOf));
    const bindings = [...bootstrapClusterRoleBindings(v), ...bootstrapRoleBindings(v)];
    const loose = bindings.filter(({ roleRef, metadata }) => {
      return !roles.has(`${roleRef.kind} ${roleRef.kind === 'Role' ? metadata.namespace : ''}/${roleRef.name}`);
    });
    expect(loose).toEqual([]);
  });

  it('speaks the vocabulary it is given', () => {
    for (const name of vocabularyNames) {
      const text = JSON.stringify(bootstrapPolicy(vocabularies[name]));
      for (const other of vocabularyNames.filter((it) => it !== name)) {
        const { domains, namespaces } = vocabularies[other];
        for (const foreign of [...Object.values(domains), namespaces.system]) expect(text).not.toContain(foreign);
      }
    }
  });
});

interface Recorded {
  readonly name: string;
  readonly namespace?: string;
  readonly labels: object;
  readonly annotations: object;
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: object;
  readonly roleRef?: object;
  readonly subjects?: readonly object[];
}

type Reference = Record<'clusterroles' | 'clusterrolebindings' | 'roles' | 'rolebindings', readonly Recorded[]>;

const referenceFile = new URL('../../../../shared/reference/rbac.json', import.meta.url);

/** Text that is the same for objects that differ only in the order of keys, of rules and of subjects. */
const sortedText = (value: unknown): string =>
  JSON.stringify(value, (_, it: unknown) =>
    it !== null && typeof it === 'object' && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([one], [other]) => (one < other ? -1 : 1)))
      : it,
  );
const unordered = (list: readonly unknown[] | null | undefined) => (list ? list.map(sortedText).sort() : list);

const comparable = ({ name, namespace, labels, annotations, rules, aggregationRule, roleRef, subjects }: Recorded) => ({
  place: `${namespace ?? ''}/${name}`,
  labels,
  annotations,
  rules: unordered(rules),
  aggregationRule,
  roleRef,
  subjects: unordered(subjects),
});

const recordedForm = ({ metadata, ...rest }: PolicyObject): Recorded => ({
  ...rest,
  name: metadata.name ?? '',
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  labels: metadata.labels ?? {},
  annotations: metadata.annotations ?? {},
});

const byPlace = (one: { place: string }, other: { place: string }) => (one.place < other.place ? -1 : 1);

describe.skipIf(!existsSync(referenceFile))(
  'the reference (skipped when ../shared/reference/rbac.json is absent)',
  () => {
    it.each<[keyof Reference, readonly PolicyObject[]]>([
      ['clusterroles', bootstrapClusterRoles(v)],
      ['clusterrolebindings', bootstrapClusterRoleBindings(v)],
      ['roles', bootstrapRoles(v)],
      ['rolebindings', bootstrapRoleBindings(v)],
    ])('has the same %s', (resource, ours) => {
      const reference: Reference = JSON.parse(readFileSync(referenceFile, 'utf8'));
      expect(ours.map(recordedForm).map(comparable).sort(byPlace)).toEqual(
        reference[resource].map(comparable).sort(byPlace),
      );
    });
  },
);
