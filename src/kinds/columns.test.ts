import { describe, expect, it } from 'vitest';
import type { ApiObject, ResourceType } from '../registry/resource-type.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { builtInTypes } from './built-in.ts';
import { componentStatusColumns } from './core/columns.ts';
import { ComponentStatus } from './core/component-status.ts';

const NOW = Date.parse('2024-05-01T12:00:00Z');
const LONG_AGO = '2000-01-01T00:00:00Z';
const v = vocabularies.platform;
const types = builtInTypes(v);

function typeOf(plural: string): ResourceType {
  const type = types.find((candidate) => candidate.plural === plural);
  if (!type) throw new Error(`no type ${plural}`);
  return type;
}

const objectOf = (plural: string, object: object): ApiObject =>
  canonicalise(typeOf(plural).schema, { metadata: { name: 'x' }, ...object }).value;

/** What one column of the table shows for an object. */
function cell(plural: string, column: string, object: object): unknown {
  const found = typeOf(plural).columns?.find(({ name }) => name === column);
  if (!found) throw new Error(`no column ${column} of ${plural}`);
  return found.cell(objectOf(plural, object), NOW);
}

describe('tables', () => {
  it('show what every kind shows of an empty object, without a hole', () => {
    const holes = types.flatMap(({ plural, columns = [] }) =>
      columns
        .filter((column) => column.cell(objectOf(plural, {}), NOW) === undefined)
        .map(({ name }) => [plural, name]),
    );
    expect(holes).toEqual([]);
  });

  it('show names and ages', () => {
    const metadata = { name: 'n', creationTimestamp: '2024-05-01T11:50:00Z' };
    expect(cell('configmaps', 'Name', { metadata })).toBe('n');
    expect(cell('configmaps', 'Age', { metadata })).toBe('10m');
    expect(cell('configmaps', 'Age', {})).toBe('<unknown>');
  });
});

describe('pods', () => {
  it('show how much is ready, and when they were last restarted', () => {
    const lastState = { terminated: { exitCode: 1, finishedAt: '2024-05-01T11:58:00Z' } };
    const pod = {
      spec: { containers: [{ name: 'a' }, { name: 'b' }] },
      status: { containerStatuses: [{ name: 'a', ready: true, restartCount: 3, state: { running: {} }, lastState }] },
    };
    expect(cell('pods', 'Ready', pod)).toBe('1/2');
    expect(cell('pods', 'Restarts', pod)).toBe('3 (2m ago)');
    expect(cell('pods', 'Restarts', {})).toBe('0');
  });

  it('show which readiness gates are met', () => {
    const spec = {
      containers: [],
      readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }, { conditionType: 'c' }],
    };
    const conditions = [
      { type: 'a', status: 'True' },
      { type: 'b', status: 'False' },
    ];
    expect(cell('pods', 'Readiness Gates', { spec, status: { conditions } })).toBe('1/3');
    expect(cell('pods', 'Readiness Gates', {})).toBe('<none>');
  });

  it.each([
    ['Succeeded', [{ type: 'Completed', status: 'True', reason: 'Succeeded' }]],
    ['Failed', [{ type: 'Completed', status: 'True', reason: 'Failed' }]],
    ['Running', []],
  ])('mark their row when they are %s', (phase, conditions) => {
    expect(typeOf('pods').rowConditions?.(objectOf('pods', { status: { phase } }))).toEqual(conditions);
  });
});

describe('services', () => {
  const ingress = [{ ip: '192.0.2.9' }, { hostname: 'a.example' }, { ip: '192.0.2.9' }];

  it.each([
    [{ type: 'ClusterIP' }, {}, '<none>'],
    [{ type: 'NodePort', externalIPs: ['192.0.2.2', '192.0.2.1'] }, {}, '192.0.2.2,192.0.2.1'],
    [{ type: 'LoadBalancer' }, {}, '<pending>'],
    [{ type: 'LoadBalancer' }, { loadBalancer: { ingress } }, '192.0.2.9,a.example'],
    [
      { type: 'LoadBalancer', externalIPs: ['192.0.2.1'] },
      { loadBalancer: { ingress } },
      '192.0.2.9,a.example,192.0.2.1',
    ],
    [{ type: 'LoadBalancer', externalIPs: ['192.0.2.1'] }, {}, '192.0.2.1'],
    [{ type: 'ExternalName', externalName: 'b.example' }, {}, 'b.example'],
    [{}, {}, '<unknown>'],
  ])('are reached from outside: %j %j', (spec, status, text) => {
    expect(cell('services', 'External-IP', { spec, status })).toBe(text);
  });

  it('show ports, with those on nodes', () => {
    const ports = [
      { port: 80, protocol: 'TCP', nodePort: 30080 },
      { port: 53, protocol: 'UDP' },
    ];
    expect(cell('services', 'Port(s)', { spec: { ports } })).toBe('80:30080/TCP,53/UDP');
    expect(cell('services', 'Port(s)', {})).toBe('<none>');
  });
});

describe('nodes', () => {
  const ready = (status: string) => ({ conditions: [{ type: 'Ready', status }] });

  it.each([
    [{}, ready('True'), 'Ready'],
    [{}, ready('Unknown'), 'NotReady'],
    [{}, {}, 'Unknown'],
    [{ unschedulable: true }, ready('True'), 'Ready,SchedulingDisabled'],
  ])('%j with %j are %s', (spec, status, text) => {
    expect(cell('nodes', 'Status', { spec, status })).toBe(text);
  });

  it('have the roles their labels give them, each once', () => {
    const labels = {
      [`${v.labels.nodeRolePrefix}worker`]: '',
      [v.labels.nodeRolePrefix]: 'x',
      [v.labels.role]: 'worker',
    };
    const more = { ...labels, [`${v.labels.nodeRolePrefix}edge`]: '' };
    expect(cell('nodes', 'Roles', { metadata: { labels: more } })).toBe('edge,worker');
    expect(cell('nodes', 'Roles', {})).toBe('<none>');
  });
});

describe('volumes', () => {
  it('show the class that an old annotation gives before their own', () => {
    const spec = { storageClassName: 'new' };
    const annotations = { [v.annotations.betaStorageClass]: 'old' };
    expect(cell('persistentvolumeclaims', 'StorageClass', { spec })).toBe('new');
    expect(cell('persistentvolumes', 'StorageClass', { spec, metadata: { annotations } })).toBe('old');
  });

  it('show what a claim got only once it has a volume', () => {
    const status = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
    expect(cell('persistentvolumeclaims', 'Capacity', { status })).toBe('');
    expect(cell('persistentvolumeclaims', 'Capacity', { spec: { volumeName: 'v' }, status })).toBe('1Gi');
    expect(cell('persistentvolumeclaims', 'Access Modes', { spec: { volumeName: 'v' }, status })).toBe('RWO');
  });

  it('mark the default class', () => {
    const annotations = { [v.annotations.defaultStorageClass]: 'true' };
    expect(cell('storageclasses', 'Name', { metadata: { name: 'fast', annotations } })).toBe('fast (default)');
  });
});

describe('events', () => {
  it.each([
    [{ series: { count: 4, lastObservedTime: '2024-05-01T11:59:00.000000Z' }, lastTimestamp: LONG_AGO }, '60s'],
    [{ lastTimestamp: '2024-05-01T11:58:00Z', firstTimestamp: LONG_AGO }, '2m'],
    [{ firstTimestamp: '2024-05-01T11:57:00Z' }, '3m'],
    [{ eventTime: '2024-05-01T11:56:00.000000Z' }, '4m'],
    [{}, '<unknown>'],
  ])('were last seen as their best time says: %j', (event, text) => {
    expect(cell('events', 'Last Seen', event)).toBe(text);
  });

  it.each([
    [{ series: { count: 4 }, count: 9 }, 4],
    [{ count: 9 }, 9],
    [{}, 1],
  ])('happened as often as they say: %j', (event, count) => {
    expect(cell('events', 'Count', event)).toBe(count);
  });

  it('name who reports and what it is about', () => {
    const event = {
      involvedObject: { kind: 'Pod', name: 'p' },
      source: { component: 'c' },
      reportingComponent: 'other',
      reportingInstance: 'i',
      message: '  text \n',
    };
    expect(cell('events', 'Object', event)).toBe('pod/p');
    expect(cell('events', 'Source', event)).toBe('c, i');
    expect(cell('events', 'Message', event)).toBe('text');
  });
});

describe('endpoints', () => {
  it('list the first addresses, and count the rest', () => {
    const addresses = [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }];
    const subsets = [{ addresses, ports: [{ port: 80 }, { port: 81 }] }, { addresses }];
    expect(cell('endpoints', 'Endpoints', { subsets })).toBe('192.0.2.1:80,[2001:db8::1]:80,192.0.2.1:81 + 3 more...');
    expect(cell('endpoints', 'Endpoints', {})).toBe('<none>');
  });

  it('of slices name ports by number, else by name', () => {
    const ports = [{ port: 80, name: 'a' }, { name: 'b' }, {}, { port: 1 }];
    expect(cell('endpointslices', 'Ports', { ports })).toBe('80,b,* + 1 more...');
    expect(cell('endpointslices', 'Endpoints', { endpoints: [{ addresses: ['a', 'b'] }, { addresses: ['c'] }] })).toBe(
      'a,b,c',
    );
    expect(cell('endpointslices', 'Endpoints', {})).toBe('<unset>');
  });
});

describe('quotas', () => {
  it('tell limits from the rest', () => {
    const status = { hard: { 'limits.cpu': '4', pods: '3', limits: '1', 'requests.cpu': '2' }, used: { pods: '1' } };
    expect(cell('resourcequotas', 'Request', { status })).toBe('limits: 0/1, pods: 1/3, requests.cpu: 0/2');
    expect(cell('resourcequotas', 'Limit', { status })).toBe('limits.cpu: 0/4');
  });
});

describe('workloads', () => {
  it('show an empty selector as their kind does', () => {
    expect(cell('deployments', 'Selector', {})).toBe('');
    expect(cell('replicasets', 'Selector', {})).toBe('<none>');
    const selector = { matchExpressions: [{ key: 'k', operator: 'Near' }] };
    expect(cell('deployments', 'Selector', { spec: { selector } })).toBe('<invalid>');
    expect(cell('replicasets', 'Selector', { spec: { selector } })).toBe('<error>');
  });

  it('show the containers of their template', () => {
    const template = {
      spec: {
        containers: [
          { name: 'a', image: 'one' },
          { name: 'b', image: 'two' },
        ],
      },
    };
    expect(cell('deployments', 'Containers', { spec: { template } })).toBe('a,b');
    expect(cell('deployments', 'Images', { spec: { template } })).toBe('one,two');
    expect(cell('replicationcontrollers', 'Images', {})).toBe('');
  });

  it('name the owner of a revision with its group', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', uid: 'u' };
    const ownerReferences = [
      { ...owner, name: 'other' },
      { ...owner, controller: true },
    ];
    expect(cell('controllerrevisions', 'Controller', { metadata: { ownerReferences } })).toBe('statefulset.apps/s');
    expect(cell('controllerrevisions', 'Controller', {})).toBe('<none>');
  });

  it.each([
    [{ completions: 3 }, '1/3'],
    [{ parallelism: 4 }, '1/1 of 4'],
    [{ parallelism: 1 }, '1/1'],
  ])('count completions of jobs: %j', (spec, text) => {
    expect(cell('jobs', 'Completions', { spec, status: { succeeded: 1 } })).toBe(text);
  });

  it.each([
    [{}, ''],
    [{ startTime: '2024-05-01T11:00:00Z' }, '60m'],
    [{ startTime: '2024-05-01T11:00:00Z', completionTime: '2024-05-01T11:00:30Z' }, '30s'],
  ])('measure how long jobs ran: %j', (status, text) => {
    expect(cell('jobs', 'Duration', { status })).toBe(text);
  });

  it.each([
    [{ suspend: true }, 'True'],
    [{ suspend: false }, 'False'],
    [{}, '<unset>'],
  ])('say in words whether a schedule is suspended: %j', (spec, text) => {
    expect(cell('cronjobs', 'Suspend', { spec })).toBe(text);
  });
});

describe('autoscalers', () => {
  const resource = (target: object) => ({ type: 'Resource', resource: { name: 'cpu', target } });
  const external = (target: object) => ({ type: 'External', external: { target } });

  it.each([
    [[], [], '<none>'],
    [[resource({ averageUtilization: 80 })], [], '<unknown>/80%'],
    [[resource({})], [{ resource: { current: { averageUtilization: 30 } } }], '30%/<auto>'],
    [[resource({ averageValue: '1' })], [{ resource: { current: { averageValue: '500m' } } }], '500m/1'],
    [[external({ averageValue: '10' })], [{ external: { current: { averageValue: '3' } } }], '3/10 (avg)'],
    [[external({ value: '10' })], [{ external: { current: { value: '3' } } }], '3/10'],
    [[{ type: 'Pods', pods: { target: { averageValue: '5' } } }], [], '<unknown>/5'],
    [[{ type: 'Object', object: { target: { value: '5' } } }], [], '<unknown>/5'],
    [[{ type: 'New' }], [], '<unknown type>'],
    [[1, 2, 3, 4].map((value) => external({ value: `${value}` })), [], '<unknown>/1, <unknown>/2 + 2 more...'],
  ])('compare what is measured with what is wanted: %j %j', (metrics, currentMetrics, text) => {
    expect(cell('horizontalpodautoscalers', 'Targets', { spec: { metrics }, status: { currentMetrics } })).toBe(text);
  });
});

describe('ingresses', () => {
  const rules = (...hosts: string[]) => ({ spec: { rules: hosts.map((host) => ({ host })) } });

  it.each([
    [rules(), '*'],
    [rules(''), '*'],
    [rules('a', '', 'b'), 'a,b'],
    [rules('a', 'b', 'c'), 'a,b,c'],
    [rules('a', '', 'b', 'c', ''), 'a,b,c + 2 more...'],
  ])('list hosts and count rules: %j', (ingress, text) => {
    expect(cell('ingresses', 'Hosts', ingress)).toBe(text);
  });
});

describe('certificate requests', () => {
  const conditions = (...types: string[]) => types.map((type) => ({ type, status: 'True' }));

  it.each([
    [{}, 'Pending'],
    [{ conditions: conditions('Approved') }, 'Approved'],
    [{ conditions: conditions('Approved'), certificate: 'YQ==' }, 'Approved,Issued'],
    [{ conditions: conditions('Approved', 'Failed') }, 'Approved,Failed'],
    [{ conditions: conditions('Approved', 'Denied') }, 'Denied'],
  ])('show how far they have come: %j', (status, text) => {
    expect(cell('certificatesigningrequests', 'Condition', { status })).toBe(text);
  });

  it('show the duration they ask for', () => {
    expect(cell('certificatesigningrequests', 'RequestedDuration', { spec: { expirationSeconds: 86400 } })).toBe('24h');
    expect(cell('certificatesigningrequests', 'RequestedDuration', {})).toBe('<none>');
  });
});

describe('API services', () => {
  it.each([
    [[], 'Unknown'],
    [[{ type: 'Available', status: 'True', reason: 'Local' }], 'True'],
    [[{ type: 'Available', status: 'False', reason: 'Missing' }], 'False (Missing)'],
    [[{ type: 'Available', status: 'False' }], 'False'],
  ])('say whether they answer: %j', (conditions, text) => {
    expect(cell('apiservices', 'Available', { status: { conditions } })).toBe(text);
  });
});

describe('role bindings', () => {
  it('list subjects by kind', () => {
    const subjects = [
      { kind: 'User', name: 'u' },
      { kind: 'ServiceAccount', namespace: 'n', name: 's' },
      { kind: 'User', name: 'w' },
    ];
    expect(cell('rolebindings', 'Users', { subjects })).toBe('u, w');
    expect(cell('rolebindings', 'ServiceAccounts', { subjects })).toBe('n/s');
    expect(cell('rolebindings', 'Groups', { subjects })).toBe('');
  });
});

describe('priority levels', () => {
  it('show queues only where there are any', () => {
    const queuing = { queues: 8, handSize: 2, queueLengthLimit: 5 };
    const limited = { assuredConcurrencyShares: 20, limitResponse: { type: 'Queue', queuing } };
    expect(cell('prioritylevelconfigurations', 'Queues', { spec: { type: 'Limited', limited } })).toBe(8);
    expect(cell('prioritylevelconfigurations', 'Queues', { spec: { type: 'Exempt' } })).toBe('<none>');
  });
});

describe('component statuses', () => {
  it.each([
    [[{ type: 'Healthy', status: 'True', message: 'ok' }], ['', 'Healthy', 'ok', '']],
    [[{ type: 'Healthy', status: 'False', error: 'refused' }], ['', 'Unhealthy', '', 'refused']],
    [[{ type: 'Other', status: 'True', message: 'ok' }], ['', 'Unknown', '', '']],
  ])('show what the condition about health says: %j', (conditions, cells) => {
    const component = canonicalise(ComponentStatus, { conditions }).value;
    expect(componentStatusColumns.map((column) => column.cell(component, NOW))).toEqual(cells);
  });
});
