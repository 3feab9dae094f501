import { describe, expect, it } from 'vitest';
import { userNamed } from '../api/user.ts';
import { DEFAULT_FEATURES } from '../features/features.ts';
import { dropGatedFields } from '../registry/gated-fields.ts';
import { readObject } from '../registry/incoming.ts';
import { restoreFields } from '../registry/resets.ts';
import type { HookContext, ResourceType } from '../registry/resource-type.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { builtInTypes } from './built-in.ts';

const v = vocabularies.platform;
const context: HookContext = {
  runtime: { ...systemRuntime, now: () => Date.parse('2024-05-01T12:00:00Z'), uuid: () => 'made-up' },
  vocabulary: v,
  features: DEFAULT_FEATURES,
};

type Json = { [key: string]: unknown };

/** Kinds are known to these tests by name only, so objects are plain JSON. */
function typeOf(plural: string): ResourceType {
  const type = builtInTypes(v).find((candidate) => candidate.plural === plural);
  if (!type) throw new Error(`no type ${plural}`);
  return type;
}

function created(plural: string, sent: Json): Json {
  const type = typeOf(plural);
  const object = canonicalise(type.schema, { metadata: { name: 'x', uid: 'u' }, ...sent }).value;
  type.complete?.(object, context);
  dropGatedFields(type, object, undefined, context.features);
  type.prepareCreate?.(object, context, userNamed('alice', []));
  return { ...canonicalise(type.schema, object).value };
}

/** The outcome of a write, given what was stored and what was sent. */
function updated(plural: string, stored: Json, sent: Json, subresource = ''): Json {
  const type = typeOf(plural);
  const rules = subresource === '' ? type.rules : (type.subresources[subresource]?.rules ?? {});
  const old = canonicalise(type.schema, { metadata: { name: 'x', uid: 'u' }, ...stored }).value;
  const object = canonicalise(type.schema, { metadata: { name: 'x', uid: 'u' }, ...sent }).value;
  restoreFields(object, old, rules.resets);
  type.complete?.(object, context);
  dropGatedFields(type, object, old, context.features);
  rules.prepareUpdate?.(object, old, context);
  return { ...canonicalise(type.schema, object).value };
}

function bumps(plural: string, stored: Json, sent: Json): boolean | undefined {
  const type = typeOf(plural);
  const old = canonicalise(type.schema, stored).value;
  return type.bumpsGeneration?.(canonicalise(type.schema, sent).value, old);
}

describe('namespaces', () => {
  const label = { [v.labels.metadataName]: 'x' };

  it('start active, held, and labelled with their name', () => {
    expect(created('namespaces', { spec: { finalizers: ['a/b'] }, status: { phase: 'Odd' } })).toMatchObject({
      metadata: { labels: label },
      spec: { finalizers: ['a/b', v.finalizers.namespace] },
      status: { phase: 'Active' },
    });
  });

  it('keep label and hold whatever an update says', () => {
    const stored = { spec: { finalizers: [v.finalizers.namespace] } };
    const sent = { metadata: { name: 'x', labels: { [v.labels.metadataName]: 'y', a: 'b' } }, spec: {} };
    expect(updated('namespaces', stored, sent)).toMatchObject({
      ...stored,
      metadata: { labels: { ...label, a: 'b' } },
    });
  });

  it('are let go through finalize only', () => {
    const stored = { spec: { finalizers: [v.finalizers.namespace] }, status: { phase: 'Terminating' } };
    const sent = { spec: { finalizers: [] }, status: { phase: 'Active' } };
    expect(updated('namespaces', stored, sent, 'finalize')).toMatchObject({
      spec: {},
      status: { phase: 'Terminating' },
    });
    const { isHeld, schema } = typeOf('namespaces');
    expect(isHeld?.(canonicalise(schema, stored).value)).toBe(true);
    expect(isHeld?.(canonicalise(schema, sent).value)).toBe(false);
  });
});

describe('secrets', () => {
  it('take plain text over data of the same name', () => {
    const secret = { data: { a: 'b2xk', c: 'Yw==' }, stringData: { a: 'näher' } };
    const merged = { data: { a: 'bsOkaGVy', c: 'Yw==' } };
    const read = readObject(typeOf('secrets'), secret);
    expect(read).toMatchObject(merged);
    expect(read).not.toHaveProperty('stringData');
  });
});

describe('service accounts', () => {
  it('refer to secrets by name alone', () => {
    const secrets = [{ name: 's', namespace: 'n', uid: 'u' }];
    expect(created('serviceaccounts', { secrets })).toMatchObject({ secrets: [{ name: 's' }] });
    expect(updated('serviceaccounts', {}, { secrets }).secrets).toEqual([{ name: 's' }]);
  });
});

describe('services', () => {
  const stored = {
    type: 'NodePort',
    clusterIP: '10.0.0.7',
    clusterIPs: ['10.0.0.7', '2001:db8::7'],
    ipFamilies: ['IPv4', 'IPv6'],
    externalTrafficPolicy: 'Cluster',
    ports: [
      { name: 'a', port: 80, nodePort: 30080 },
      { name: 'b', port: 81, nodePort: 30081 },
    ],
  };
  const spec = (sent: Json, before: Json = stored): unknown =>
    updated('services', { spec: before }, { spec: sent }).spec;

  it('list the address they were given as well', () => {
    expect(created('services', { spec: { clusterIP: 'None' } })).toMatchObject({ spec: { clusterIPs: ['None'] } });
  });

  it('keep addresses and ports that a writer leaves out', () => {
    const ports = [
      { name: 'a', port: 90 },
      { name: 'c', port: 91 },
    ];
    expect(spec({ type: 'LoadBalancer', ports })).toMatchObject({
      clusterIP: '10.0.0.7',
      clusterIPs: ['10.0.0.7', '2001:db8::7'],
      ports: [{ nodePort: 30080 }, { name: 'c', port: 91 }],
    });
  });

  it('do not keep a port that another one has taken over', () => {
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81, nodePort: 30080 },
    ];
    expect(spec({ type: 'NodePort', ports })).not.toHaveProperty('ports.0.nodePort');
  });

  it('drop what their new type has no use for', () => {
    const outside = spec({ ...stored, type: 'ExternalName', externalName: 'a.example' });
    expect(JSON.stringify(outside)).not.toMatch(/clusterIP|ipFamilies|nodePort|externalTrafficPolicy/);
    const inside = spec({ ...stored, type: 'ClusterIP' });
    expect(inside).toMatchObject({ clusterIP: '10.0.0.7', ipFamilies: ['IPv4', 'IPv6'] });
    expect(JSON.stringify(inside)).not.toMatch(/nodePort|externalTrafficPolicy/);
  });

  it('leave what a writer changed for validation to judge', () => {
    const moved = spec({ ...stored, clusterIP: '10.0.0.8' });
    expect(moved).toMatchObject({ clusterIP: '10.0.0.8', clusterIPs: ['10.0.0.8'] });
    const ports = [{ name: 'a', port: 80, nodePort: 31000 }];
    expect(spec({ type: 'ClusterIP', ports })).toMatchObject({ ports: [{ nodePort: 31000 }] });
  });

  it('keep the health port while they need one', () => {
    const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
    const before = { ...local, healthCheckNodePort: 32000 };
    expect(spec(local, before)).toMatchObject(before);
    expect(spec({ ...before, externalTrafficPolicy: 'Cluster' }, before)).not.toHaveProperty('healthCheckNodePort');
  });
});

describe('pods', () => {
  it('lose fields of features that are off', () => {
    const constraint = { maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'DoNotSchedule' };
    const spec = {
      hostUsers: true,
      containers: [{ name: 'c', securityContext: { procMount: 'Unmasked', privileged: false } }],
      topologySpreadConstraints: [{ ...constraint, minDomains: 2, matchLabelKeys: ['a'] }],
    };
    const pod = created('pods', { spec });
    expect(pod.spec).not.toHaveProperty('hostUsers');
    expect(pod).toMatchObject({ spec: { topologySpreadConstraints: [constraint] } });
    expect(JSON.stringify(pod)).not.toMatch(/procMount|minDomains|matchLabelKeys/);
  });

  it.each([
    [{ podIP: '192.0.2.1' }, '192.0.2.1', ['192.0.2.1']],
    [{ podIPs: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }] }, '192.0.2.1', ['192.0.2.1', '2001:db8::1']],
    [{ podIP: '192.0.2.2', podIPs: [{ ip: '192.0.2.1' }] }, '192.0.2.2', ['192.0.2.2']],
    [{}, undefined, undefined],
  ])('agree with themselves about their addresses: %j', (status, podIP, podIPs) => {
    const pod = updated('pods', {}, { status }, 'status');
    expect(pod.status).toEqual({
      ...(podIP === undefined ? {} : { podIP, podIPs: podIPs?.map((ip) => ({ ip })) }),
    });
  });

  it('change nothing but ephemeral containers through their endpoint', () => {
    const stored = {
      metadata: { name: 'x', labels: { a: 'b' } },
      spec: { nodeName: 'n' },
      status: { phase: 'Running' },
    };
    const sent = {
      metadata: { name: 'x', labels: { c: 'd' } },
      spec: { nodeName: 'm', ephemeralContainers: [{ name: 'e' }] },
      status: { phase: 'Failed' },
    };
    expect(updated('pods', stored, sent, 'ephemeralcontainers')).toMatchObject({
      metadata: { labels: { a: 'b' } },
      spec: { nodeName: 'n', ephemeralContainers: [{ name: 'e' }] },
      status: { phase: 'Running' },
    });
  });

  it.each([
    [{ spec: { nodeName: 'n', terminationGracePeriodSeconds: 7 } }, undefined, 7],
    [{ spec: { nodeName: 'n', terminationGracePeriodSeconds: 7 } }, 3, 3],
    [{ spec: { nodeName: 'n', terminationGracePeriodSeconds: 7 } }, 0, 0],
    [{ spec: { nodeName: 'n' } }, undefined, 30],
    [{ spec: { terminationGracePeriodSeconds: 7 } }, 60, 0],
    [{ spec: { nodeName: 'n' }, status: { phase: 'Succeeded' } }, 60, 0],
  ])('get time to go only while a node runs them: %j %j', (pod, requested, seconds) => {
    const { gracePeriod, schema } = typeOf('pods');
    expect(gracePeriod?.(canonicalise(schema, pod).value, requested)).toBe(seconds);
  });
});

describe('nodes', () => {
  it.each([
    [{ podCIDR: '10.0.0.0/24' }, '10.0.0.0/24', ['10.0.0.0/24']],
    [{ podCIDRs: ['10.0.0.0/24', '2001:db8::/64'] }, '10.0.0.0/24', ['10.0.0.0/24', '2001:db8::/64']],
    [{ podCIDR: '10.1.0.0/24', podCIDRs: ['10.0.0.0/24'] }, '10.1.0.0/24', ['10.1.0.0/24']],
  ])('agree with themselves about their ranges: %j', (spec, podCIDR, podCIDRs) => {
    expect(created('nodes', { spec }).spec).toEqual({ podCIDR, podCIDRs });
  });

  it('keep the status they are created with', () => {
    const { createResets, rules } = typeOf('nodes');
    expect({ createResets, resets: rules.resets }).toEqual({ createResets: [], resets: ['status'] });
  });
});

describe('limit ranges', () => {
  it('get a name if they have none', () => {
    expect(created('limitranges', { metadata: {} })).toMatchObject({ metadata: { name: 'made-up' } });
  });
});

describe('claims', () => {
  const source = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'o' };

  it.each(['dataSource', 'dataSourceRef'])('name their source under both names, given %s', (name) => {
    const claim = { spec: { [name]: source } };
    const both = { dataSource: source, dataSourceRef: source };
    expect(created('persistentvolumeclaims', claim)).toMatchObject({ spec: both, status: { phase: 'Pending' } });
    expect(updated('persistentvolumeclaims', {}, claim)).toMatchObject({ spec: both });
  });
});

describe('generations', () => {
  const deployment = (metadata: Json, replicas = 1): Json => ({ metadata, spec: { replicas } });

  it('of deployments count annotations as well', () => {
    const stored = deployment({ labels: { a: 'b' } });
    expect(bumps('deployments', stored, deployment({ labels: { a: 'c' } }))).toBe(false);
    expect(bumps('deployments', stored, deployment({ labels: { a: 'b' }, annotations: { a: 'b' } }))).toBe(true);
    expect(bumps('deployments', stored, deployment({ labels: { a: 'b' } }, 2))).toBe(true);
  });

  it('of endpoint slices count labels as well', () => {
    const slice = { metadata: { labels: { a: 'b' } }, addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }] };
    expect(bumps('endpointslices', slice, slice)).toBe(false);
    expect(bumps('endpointslices', slice, { ...slice, metadata: { labels: { a: 'c' } } })).toBe(true);
    expect(
      bumps('endpointslices', slice, { ...slice, metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } }),
    ).toBe(false);
    expect(bumps('endpointslices', slice, { ...slice, endpoints: [] })).toBe(true);
    expect(bumps('endpointslices', slice, { ...slice, ports: [{ port: 1 }] })).toBe(true);
  });

  it('of priority classes never move', () => {
    expect(bumps('priorityclasses', { value: 1 }, { value: 1, description: 'new' })).toBe(false);
  });
});

describe('daemon sets', () => {
  const annotation = 'deprecated.daemonset.template.generation';
  const daemonSet = (image: string, count?: string): Json => ({
    metadata: { name: 'x', ...(count === undefined ? {} : { annotations: { [annotation]: count } }) },
    spec: { template: { spec: { containers: [{ name: 'c', image }] } } },
  });

  it('count the versions of their template, whatever clients say', () => {
    expect(created('daemonsets', daemonSet('a', '50'))).toMatchObject(daemonSet('a', '1'));
    expect(updated('daemonsets', daemonSet('a', '4'), daemonSet('a', '50'))).toMatchObject(daemonSet('a', '4'));
    expect(updated('daemonsets', daemonSet('a', '4'), daemonSet('b'))).toMatchObject(daemonSet('b', '5'));
  });
});

describe('jobs', () => {
  const own = { 'controller-uid': 'u', 'job-name': 'x' };

  it('select the pods that carry their uid', () => {
    const template = { metadata: { labels: { app: 'a' } } };
    const labels = { ...own, app: 'a' };
    expect(created('jobs', { spec: { template } })).toMatchObject({
      metadata: { labels, annotations: { [v.annotations.jobTracking]: '' } },
      spec: { selector: { matchLabels: { 'controller-uid': 'u' } }, template: { metadata: { labels } } },
    });
  });

  it('leave a wrong uid for validation to find', () => {
    const spec = { selector: { matchLabels: { 'controller-uid': 'other' } } };
    expect(created('jobs', { spec })).toMatchObject({ spec: { ...spec, template: { metadata: { labels: own } } } });
  });

  it('leave selector and labels alone when told to', () => {
    const spec = { manualSelector: true, selector: { matchLabels: { a: 'b' } } };
    const job = created('jobs', { spec });
    expect(job).toMatchObject({ spec });
    expect(JSON.stringify(job)).not.toContain('controller-uid');
  });
});

describe('certificate requests', () => {
  it('say who made them, not who they claim', () => {
    const { prepareCreate, schema } = typeOf('certificatesigningrequests');
    const request = canonicalise(schema, { spec: { username: 'root', uid: '0', groups: ['system:masters'] } }).value;
    const requester = { name: 'alice', uid: '', groups: ['dev'], extra: new Map([['scopes', ['a', 'b']]]) };
    prepareCreate?.(request, context, requester);
    expect(request).toMatchObject({ spec: { username: 'alice', groups: ['dev'], extra: { scopes: ['a', 'b'] } } });
    expect(request).not.toHaveProperty('spec.uid');
  });

  it('date their conditions, and keep the time of those that did not change', () => {
    const LONG_AGO = '2000-01-01T00:00:00Z';
    const condition = (type: string, times: Json = {}) => ({ type, status: 'True', ...times });
    const stored = { conditions: [condition('Failed', { lastTransitionTime: LONG_AGO })] };
    const sent = {
      conditions: [condition('Failed'), condition('Approved'), condition('Other', { lastUpdateTime: LONG_AGO })],
    };
    const { status } = updated('certificatesigningrequests', { status: stored }, { status: sent }, 'approval');
    const now = '2024-05-01T12:00:00Z';
    expect(status).toEqual({
      conditions: [
        condition('Failed', { lastUpdateTime: now, lastTransitionTime: LONG_AGO }),
        condition('Approved', { lastUpdateTime: now, lastTransitionTime: now }),
        condition('Other', { lastUpdateTime: LONG_AGO, lastTransitionTime: now }),
      ],
    });
  });
});

describe('definitions', () => {
  const versions = (stored: string) => ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === stored }));

  it('remember every version objects were stored in', () => {
    const status = { storedVersions: ['v1'] };
    const outcome = (stored: string) =>
      updated(
        'customresourcedefinitions',
        { spec: { versions: versions('v1') }, status },
        { spec: { versions: versions(stored) } },
      );
    expect(created('customresourcedefinitions', { spec: { versions: versions('v1') } })).toMatchObject({ status });
    expect(outcome('v1')).toMatchObject({ status });
    expect(outcome('v2')).toMatchObject({ status: { storedVersions: ['v1', 'v2'] } });
  });
});

describe('API services', () => {
  it('are there at once when no service stands behind them', () => {
    const condition = {
      type: 'Available',
      status: 'True',
      reason: 'Local',
      lastTransitionTime: '2024-05-01T12:00:00Z',
    };
    expect(created('apiservices', {})).toMatchObject({ status: { conditions: [condition] } });
    expect(created('apiservices', { spec: { service: { name: 's' } } })).toMatchObject({ status: {} });
  });
});

describe('role bindings', () => {
  it('name the group of roles, users and groups when clients do not', () => {
    const binding = {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    };
    const group = { apiGroup: v.groups.rbac };
    const filled = { roleRef: group, subjects: [group, { kind: 'ServiceAccount' }] };
    expect(created('rolebindings', binding)).toMatchObject(filled);
    expect(updated('clusterrolebindings', {}, binding)).toMatchObject(filled);
    expect(created('rolebindings', binding)).not.toHaveProperty('subjects.1.apiGroup');
  });
});

describe('network policies', () => {
  it('have no status yet', () => {
    const status = { conditions: [{ type: 'a', status: 'True', reason: 'r', message: '', lastTransitionTime: null }] };
    expect(updated('networkpolicies', {}, { status }, 'status').status).toEqual({});
  });
});
