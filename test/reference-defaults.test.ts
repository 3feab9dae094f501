import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { HorizontalPodAutoscaler } from '../src/kinds/autoscaling/v1/horizontal-pod-autoscaler.ts';
import { defaultHorizontalPodAutoscaler } from '../src/kinds/autoscaling/v1/horizontal-pod-autoscaler-defaults.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import { applyDefaults } from '../src/schema/derive/defaults.ts';
import type { Node } from '../src/schema/schema.ts';
import { vocabularies } from '../src/vocabulary.ts';
import { declaredTypes } from './declared-types.ts';

/**
 * Objects as they were sent, and as a server of this interface answered them. The declarations alone must explain every
 * difference, in value and in order, except for what the steps after defaulting add, which is listed here.
 */

const REFERENCE = join(import.meta.dirname, '../../shared/reference/defaults.json');

type JsonObject = { [key: string]: unknown };

interface Pair {
  readonly id: string;
  readonly post: JsonObject & { readonly apiVersion: string; readonly kind: string };
  readonly result: JsonObject;
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

describe.skipIf(tested.length === 0)('defaults, against the reference (skipped where there is none)', () => {
  let declared: ReadonlyMap<string, Node>;
  beforeAll(async () => {
    declared = await declaredTypes();
  });

  it.each(tested)('$id', ({ post, result }) => {
    const schema = declared.get(typeName(post));
    if (!schema) throw new Error(`no declaration of ${typeName(post)}`);
    const [ours, theirs] = [defaulted(schema, post), result].map((object) => withoutAdditions(post, object));
    expect(JSON.stringify(ours, null, 1)).toBe(JSON.stringify(theirs, null, 1));
  });
});

/** `apps/v1 Deployment` is declared as `apps.v1.Deployment`. */
function typeName({ apiVersion, kind }: Pair['post']): string {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse();
  return `${group.split('.')[0]}.${version}.${kind}`;
}

function defaulted(schema: Node, post: JsonObject): unknown {
  const { value } = canonicalise(schema, post);
  applyDefaults(schema, value);
  if (schema.shape !== HorizontalPodAutoscaler.shape) return canonicalise(schema, value).value;
  const autoscaler = canonicalise(HorizontalPodAutoscaler, value).value;
  defaultHorizontalPodAutoscaler(autoscaler, vocabularies.platform);
  return canonicalise(HorizontalPodAutoscaler, autoscaler).value;
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
