import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInTypes } from '../src/kinds/built-in.ts';
import { apiVersionOf, readObject } from '../src/registry/incoming.ts';
import type { ApiObject, ResourceType } from '../src/registry/resource-type.ts';
import { fromHub, hubOf, toHub } from '../src/registry/versions.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import type { TypeMeta } from '../src/schema/schema.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';

/**
 * Objects as they were sent, and as a server of this interface answered them. The declarations alone must explain every
 * difference, in value and in order, except for what the steps after defaulting add, which is listed here.
 */

const REFERENCE = join(import.meta.dirname, '../../shared/reference/defaults.json');

type JsonObject = { [key: string]: unknown };

interface Pair {
  readonly id: string;
  readonly post: JsonObject & TypeMeta;
  readonly result: JsonObject;
  /** The same object in another version, where it was read so. */
  readonly read?: JsonObject & TypeMeta;
}

const pairs: readonly Pair[] = existsSync(REFERENCE) ? JSON.parse(readFileSync(REFERENCE, 'utf8')) : [];

/** Pairs whose answer says something else than what was sent with defaults. */
const NOT_DEFAULTING: Readonly<Record<string, string>> = {
  'Secret stringData': 'text becomes data when the object is prepared',
  'Job podFailurePolicy': 'dropped, since its feature is off',
  SelfSubjectAccessReview: 'the answer to a question',
  SubjectAccessReview: 'the answer to a question',
  LocalSubjectAccessReview: 'the answer to a question',
  SelfSubjectRulesReview: 'the answer to a question',
  TokenReview: 'the answer to a question',
  'TokenReview bad token': 'the answer to a question',
  TokenRequest: 'the answer to a question',
  CertificateSigningRequest: 'recorded without the request itself',
};

const ADDED_TO_ALL = [
  ...['metadata.uid', 'metadata.resourceVersion', 'metadata.generation', 'metadata.managedFields'],
  ...['metadata.namespace', 'metadata.name'],
];

/**
 * What allocation, admission and preparation add to each kind, where it was not sent. `[]` stands for every element of a
 * list; at the end, for those after the elements that were sent.
 */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  Namespace: ['metadata.labels', 'spec.finalizers'],
  Node: ['spec.taints', 'spec.podCIDRs'],
  PersistentVolume: ['metadata.finalizers'],
  PersistentVolumeClaim: ['metadata.finalizers', 'spec.dataSourceRef'],
  Pod: [
    ...['spec.priority', 'spec.preemptionPolicy', 'spec.tolerations', 'spec.tolerations.[]', 'spec.volumes'],
    ...['spec.serviceAccountName', 'spec.serviceAccount', 'spec.containers.[].volumeMounts'],
    ...['status.phase', 'status.qosClass'],
  ],
  Service: [
    ...['spec.clusterIP', 'spec.clusterIPs', 'spec.ipFamilies', 'spec.ipFamilyPolicy', 'spec.healthCheckNodePort'],
    'spec.ports.[].nodePort',
  ],
  DaemonSet: ['metadata.annotations'],
  Job: ['metadata.labels', 'metadata.annotations', 'spec.selector', 'spec.template.metadata.labels'],
  RoleBinding: ['roleRef.apiGroup', 'subjects.[].apiGroup'],
  ClusterRoleBinding: ['roleRef.apiGroup', 'subjects.[].apiGroup'],
};

const tested = pairs.filter(({ id }) => !(id in NOT_DEFAULTING));

const types = builtInTypes(vocabularies.platform);

describe.skipIf(tested.length === 0)('defaults, against the reference (skipped where there is none)', () => {
  it.each(tested)('$id', ({ post, result }) => {
    const type = typeOf(post);
    const answered = fromHub(type, stored(post));
    const [ours, theirs] = [answered, result].map((object) => withoutAdditions(post, object));
    expect(JSON.stringify(ours, null, 1)).toBe(JSON.stringify(theirs, null, 1));
  });

  it.each(tested.filter(({ read }) => read))('$id, read in another version', ({ post, read }) => {
    if (!read) throw new Error('nothing was read');
    const [ours, theirs] = [fromHub(typeOf(read), stored(post)), read].map((object) => withoutAdditions(post, object));
    expect(JSON.stringify(ours, null, 1)).toBe(JSON.stringify(theirs, null, 1));
  });
});

function typeOf({ apiVersion, kind }: TypeMeta): ResourceType {
  const type = types.find((candidate) => apiVersionOf(candidate) === apiVersion && candidate.kind === kind);
  if (!type) throw new Error(`${apiVersion} ${kind} is not served`);
  return type;
}

/** The object as it is read, filled in and stored. */
function stored(post: Pair['post']): ApiObject {
  const type = typeOf(post);
  const object = toHub(type, readObject(type, structuredClone(post)));
  return canonicalise(hubOf(type).schema, object).value;
}

function withoutAdditions(post: Pair['post'], object: unknown): unknown {
  const rest = structuredClone(object);
  if (isObject(rest) && isObject(rest.metadata) && 'creationTimestamp' in rest.metadata)
    rest.metadata.creationTimestamp = null;
  for (const path of [...ADDED_TO_ALL, ...(ADDED[post.kind] ?? [])]) remove(rest, post, path.split('.'));
  return rest;
}

function remove(result: unknown, post: unknown, [name = '', ...below]: readonly string[]): void {
  if (name === '[]') removeElements(result, Array.isArray(post) ? post : [], below);
  else if (isObject(result)) removeField(result, isObject(post) ? post : {}, name, below);
}

function removeElements(result: unknown, post: readonly unknown[], below: readonly string[]): void {
  if (!Array.isArray(result)) return;
  if (below.length === 0) result.length = Math.min(result.length, post.length);
  else
    result.forEach((element, at) => {
      remove(element, post[at], below);
    });
}

function removeField(result: JsonObject, post: JsonObject, name: string, below: readonly string[]): void {
  if (below.length > 0) remove(result[name], post[name], below);
  else if (post[name] === undefined) delete result[name];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
