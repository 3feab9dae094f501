import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Vocabulary, vocabularies, vocabularyNamed, vocabularyNames } from './vocabulary.ts';

interface Pair {
  readonly group: string;
  readonly name: string;
  readonly neutral: string;
  readonly original: string;
}

type Groups = Record<string, Record<string, string>>;

/** The table part of a vocabulary: everything but its own name and its functions. */
const groupsOf = ({ name: _, reserves: __, ...groups }: Vocabulary): Groups => groups;

const neutralGroups = groupsOf(vocabularies.platform);
const originalGroups = groupsOf(vocabularies.kubernetes);

const pairs: Pair[] = Object.entries(neutralGroups).flatMap(([group, names]) =>
  Object.entries(names).map(([name, neutral]) => ({
    group,
    name,
    neutral,
    original: originalGroups[group]?.[name] ?? '',
  })),
);

const DERIVED_FROM_PATTERNS = ['domains', 'prefixes', 'definitionPrefixes'];
const SPELLED_ALIKE = ['components', 'systemNames', 'wellKnown'];
const byRule = new Set([...DERIVED_FROM_PATTERNS, ...SPELLED_ALIKE]);

describe('the table', () => {
  it('gives both vocabularies the same keys', () => {
    const keysOf = (groups: Groups) => Object.entries(groups).map(([group, names]) => [group, Object.keys(names)]);
    expect(keysOf(originalGroups)).toEqual(keysOf(neutralGroups));
  });

  it("never spells the maker's name in the neutral column", () => {
    expect(pairs.filter(({ neutral }) => /kubernetes|k8s/i.test(neutral))).toEqual([]);
  });

  it('spells a name alike in both columns only where it says so', () => {
    const alike = pairs.filter(({ neutral, original }) => neutral === original);
    expect([...new Set(alike.map(({ group }) => group))].sort()).toEqual([...SPELLED_ALIKE].sort());
  });

  it('gives every name of a group its own spelling', () => {
    const tables = [neutralGroups, originalGroups].flatMap((groups) => Object.entries(groups));
    const repeated = tables
      .filter(([group]) => group !== 'domains')
      .filter(([, names]) => new Set(Object.values(names)).size < Object.keys(names).length);
    expect(repeated).toEqual([]);
  });

  it('is frozen, group by group', () => {
    for (const name of vocabularyNames) {
      const v = vocabularies[name];
      expect([v, ...Object.values(groupsOf(v))].every(Object.isFrozen)).toBe(true);
    }
  });
});

describe('choosing a vocabulary', () => {
  it('finds each by its name', () => {
    for (const name of vocabularyNames) expect(vocabularyNamed(name).name).toBe(name);
    expect(vocabularyNamed('platform').groups.rbac).toBe('rbac.authorization.platform.io');
    expect(vocabularyNamed('kubernetes').groups.rbac).toBe('rbac.authorization.k8s.io');
  });

  it('refuses any other name and says which there are', () => {
    for (const name of ['', 'Platform', 'toString', '__proto__']) {
      expect(() => vocabularyNamed(name)).toThrow(`unknown vocabulary "${name}": choose one of platform, kubernetes`);
    }
  });
});

describe('reserved domains', () => {
  it.each([
    ['platform', ['platform.io'], ['k8s.io', 'kubernetes.io']],
    ['kubernetes', ['k8s.io', 'kubernetes.io'], ['platform.io']],
  ] as const)('of the %s vocabulary are its own and whatever lies below them', (name, own, foreign) => {
    const { reserves } = vocabularies[name];
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        for (const parent of own) {
          expect(reserves(parent)).toBe(true);
          expect(reserves(`${domain}.${parent}`)).toBe(true);
          expect(reserves(`not${parent}`)).toBe(false);
          expect(reserves(`${parent}.${domain}`)).toBe(own.some((o) => domain === o || domain.endsWith(`.${o}`)));
        }
        for (const parent of foreign) expect(reserves(`${domain}.${parent}`)).toBe(false);
      }),
    );
  });
});

interface Reference {
  readonly exact: Record<string, Record<string, string>>;
  readonly patterns: readonly object[];
  readonly ambiguous: readonly object[];
  readonly unchanged: readonly string[];
}

/** Rows for what clients newer than the reference ask for, for what this product adds, for names of operations, and for what never crosses the wire in the open. */
const BEYOND_REFERENCE = [
  'auditAnnotations: validation.policy.admission.platform.io/validation_failure | validation.policy.admission.k8s.io/validation_failure',
  'annotations: platform.io/initial-events-end | k8s.io/initial-events-end',
  'clientConfiguration: .platform | .kube',
  'clientConfiguration: PLATFORMCONFIG | KUBECONFIG',
  'certificateNames: platform-admin | kubernetes-admin',
  'certificateNames: platform-apiserver | kube-apiserver',
  'certificateNames: platform-ca | kubernetes',
  'conditions: PlatformAPIApprovalPolicyConformant | KubernetesAPIApprovalPolicyConformant',
  'flags: platform-service-node-port | kubernetes-service-node-port',
  'environment: PLATFORMCTL_EXTERNAL_DIFF | KUBECTL_EXTERNAL_DIFF',
  'environment: PLATFORM_EDITOR | KUBE_EDITOR',
  'groups: apidiscovery.platform.io | apidiscovery.k8s.io',
  'groups: explain.platform.io | explain.k8s.io',
  'healthChecks: start-apiserver-admission-initializer | start-kube-apiserver-admission-initializer',
  'metrics: apiserver_clusterip_allocator_allocated_ips | kube_apiserver_clusterip_allocator_allocated_ips',
  'metrics: apiserver_clusterip_allocator_allocation_errors_total | kube_apiserver_clusterip_allocator_allocation_errors_total',
  'metrics: apiserver_clusterip_allocator_allocation_total | kube_apiserver_clusterip_allocator_allocation_total',
  'metrics: apiserver_clusterip_allocator_available_ips | kube_apiserver_clusterip_allocator_available_ips',
  'metrics: platform_build_info | kubernetes_build_info',
  'metrics: platform_feature_enabled | kubernetes_feature_enabled',
  'metrics: platform_healthcheck | kubernetes_healthcheck',
  'metrics: platform_healthchecks_total | kubernetes_healthchecks_total',
  'stored: platform:enc: | k8s:enc:',
  'titles: Proxy Version | Kube-Proxy Version',
  'tokenIssuers: platform/serviceaccount | kubernetes/serviceaccount',
  'websocketProtocols: portforward.platform.io | portforward.k8s.io',
  'websocketProtocols: v5.channel.platform.io | v5.channel.k8s.io',
];

const RENAMED_GROUPS: Record<string, string> = { apiGroups: 'groups', objectNames: 'objects' };
const referenceFile = new URL('../../../shared/reference/vocabulary.json', import.meta.url);
const hasReference = existsSync(referenceFile);

describe.skipIf(!hasReference)('the reference (skipped when ../shared/reference/vocabulary.json is absent)', () => {
  const reference: Reference = hasReference
    ? JSON.parse(readFileSync(referenceFile, 'utf8'))
    : { exact: {}, patterns: [], ambiguous: [], unchanged: [] };

  const row = (group: string, neutral: string, original: string) => `${group}: ${neutral} | ${original}`;

  it('has exactly the rows that we have, group by group', () => {
    const expected = Object.entries(reference.exact).flatMap(([group, names]) =>
      Object.entries(names).map(([neutral, original]) => row(RENAMED_GROUPS[group] ?? group, neutral, original)),
    );
    const ours = pairs
      .filter(({ group }) => !byRule.has(group))
      .map(({ group, neutral, original }) => row(group, neutral, original));
    expect(ours.sort()).toEqual([...expected, ...BEYOND_REFERENCE].sort());
  });

  it('has a pattern for every row we derive by rule', () => {
    const rules = JSON.stringify([reference.patterns, reference.ambiguous]);
    const derived = pairs.filter(({ group }) => DERIVED_FROM_PATTERNS.includes(group));
    expect(derived.filter(({ neutral, original }) => !rules.includes(neutral) || !rules.includes(original))).toEqual(
      [],
    );
  });

  it('keeps every name that we spell alike in both columns', () => {
    // Entries look like `kube-dns`, `system:kube-*`, `kubeconfig, jws-kubeconfig-* (config map keys)`.
    const kept = reference.unchanged.flatMap((entry) => entry.replace(/ \(.*\)$/, '').split(', '));
    const isKept = (name: string) =>
      kept.some((k) => k === name || (k.endsWith('*') && name.startsWith(k.slice(0, -1))));
    const alike = pairs.filter(({ group }) => SPELLED_ALIKE.includes(group));
    expect(alike.filter(({ neutral }) => !isKept(neutral))).toEqual([]);
  });
});

/**
 * What no other source file may spell, in any case and inside any word: identifiers (`isKubernetes`), comments and
 * error texts count too. Field names of the interface such as `kubeletVersion` have no hyphen and stay free.
 */
const MAKERS_NAME = /kubernetes|k8s|kube-/i;

/**
 * The ways to name the vocabulary itself. Whole phrases, because the bare literal is also the name of the default
 * Service and of a finalizer, and as such it must come from the table.
 */
const ALLOWED: readonly { readonly phrase: string; readonly reason: string }[] = [
  { phrase: "vocabularyNamed('kubernetes')", reason: 'a fixed choice, in code' },
  { phrase: 'vocabularies.kubernetes', reason: 'a fixed choice, in code' },
  { phrase: "vocabulary: 'kubernetes'", reason: 'an option of the embedder' },
  { phrase: '--vocabulary kubernetes', reason: 'help text and messages that tell the flag' },
  { phrase: 'cluster-signing-kube-apiserver-client', reason: 'a flag, which both vocabularies have' },
  { phrase: '--vocabulary=kubernetes', reason: 'help text and messages that tell the flag' },
];

const withoutAllowed = (line: string): string =>
  ALLOWED.reduce((rest, { phrase }) => rest.replaceAll(phrase, ' '), line);

/** The lines that spell the maker's name outside the allowed phrases, each with its number. */
function offences(source: string): string[] {
  return source
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => MAKERS_NAME.test(withoutAllowed(line)))
    .map(({ line, number }) => `${number}: ${line.trim()}`);
}

describe("the maker's name in source files", () => {
  it.each([
    "import { x } from '@kubernetes/client-node';",
    "metadata: { name: 'kubernetes' }",
    "const group = 'metrics.k8s.io';",
    'const isKubernetes = true;',
    '// as K8S does',
    "namespace: 'kube-system'",
    "vocabulary: 'kubernetes', name: 'kubernetes'",
  ])('is found in: %s', (line) => {
    expect(offences(`\n${line}\n`)).toEqual([`2: ${line}`]);
  });

  it.each([
    ...ALLOWED.map(({ phrase }) => phrase),
    'kubeletVersion: f(7, string())',
    "v.namespaces.system === 'platform-system'",
  ])('is not seen in: %s', (line) => {
    expect(offences(line)).toEqual([]);
  });

  it('is spelled in the folder of the vocabulary alone', () => {
    const src = fileURLToPath(new URL('..', import.meta.url));
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        !file.startsWith(`vocabulary${sep}`) && !file.endsWith('.test.ts') && statSync(join(src, file)).isFile(),
    );
    expect(files).toContain(join('api', 'errors.ts'));
    const found = files.flatMap((file) =>
      offences(readFileSync(join(src, file), 'utf8')).map((line) => `src/${file}:${line}`),
    );
    expect(found).toEqual([]);
  });
});
