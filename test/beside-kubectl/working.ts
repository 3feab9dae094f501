import { readFileSync } from 'node:fs';
import { type Case, line, lines } from './cases.ts';

const objectsIn = (name: string): string => readFileSync(new URL(`working/${name}.yaml`, import.meta.url), 'utf8');

/** Releases before this one describe some fields otherwise. */
const NEWEST = 32;

/** A case with objects that are there before. */
const about = (name: string, file: string, ...texts: Parameters<typeof lines>[1][]): Case => ({
  ...lines(name, ...texts),
  objects: objectsIn(file),
  sinceMinor: NEWEST,
});

const describes = (...kinds: readonly string[]): string[] => kinds.map((kind) => `describe ${kind}`);

const ROLES = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: NAMESPACE, labels: {a: b}}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}]
`;

const DESCRIBING: readonly Case[] = [
  about('describe: pods with everything', 'pods', 'describe pods', 'describe pod full --show-events=false'),
  about(
    'describe: workloads',
    'workloads',
    ...describes('deploy', 'sts', 'rs', 'rc', 'job', 'cronjob', 'hpa', 'pdb'),
    'describe hpa.v1.autoscaling grow',
    'describe deploy/web sts/db',
    'describe deploy we',
    'describe deploy nope',
    'describe deploy web nope',
    'describe deploy,sts -l app=db',
    'describe deploy -l app=none',
  ),
  // Later ones show the namespace as well.
  { ...about('describe: a workload on every node', 'workloads', ...describes('ds')), untilMinor: 32 },
  about('describe: networks', 'network', ...describes('svc', 'endpoints', 'endpointslices', 'ingress', 'netpol')),
  about(
    'describe: configuration, access and limits',
    'misc',
    ...describes('cm settings', 'secret', 'sa runner', 'quota', 'limits', 'pvc', 'role', 'rolebinding', 'lease'),
    'describe event',
    'describe ns NAMESPACE',
  ),
  about(
    'describe: what is in no namespace',
    'cluster',
    ...describes('node', 'pv', 'sc', 'csinode', 'priorityclass high', 'ingressclass', 'clusterrole/paths'),
    ...describes('crd', 'runtimeclass', 'clusterrole system:node', 'clusterrolebinding system:basic-user'),
  ),
  lines(
    'describe: lines that cannot be followed',
    'describe',
    'describe bogus',
    'describe pods',
    'describe pod/a -A',
    'describe pod nope',
  ),
  {
    ...lines('describe: what a file is about', 'create -f map.yaml', 'describe -f map.yaml'),
    files: { 'map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n' },
    sinceMinor: NEWEST,
  },
];

const ROLLING_OUT: readonly Case[] = [
  about(
    'rollout: how far it is',
    'rollouts',
    'rollout status deploy/web --watch=false',
    'rollout status deploy/web --timeout=1s',
    'rollout status deploy/web --revision=3',
    'rollout status sts/db',
    'rollout status ds/agent',
    'rollout status ds/by-hand',
    'rollout status cm/settings',
    'rollout status deploy/nope',
    'rollout status deploy -l app=none',
    'rollout status',
  ),
  about(
    'rollout: history, and going back',
    'rollouts',
    'rollout history deploy/web',
    'rollout history deploy/web --revision=1',
    'rollout history deploy/web --revision=7',
    'rollout history deploy/web --revision=1 -o json',
    'rollout history deploy/web -o name',
    'rollout history sts/db',
    'rollout history sts/db --revision=1',
    'rollout history ds/agent',
    'rollout history cm/settings',
    'rollout undo deploy/web --to-revision=2',
    'rollout undo deploy/web --dry-run=client',
    'rollout undo deploy/web',
    'rollout undo deploy/web --to-revision=9',
    'rollout undo sts/db',
    'rollout undo ds/agent',
    'rollout undo cm/settings',
    'get deploy web -o jsonpath={.spec.template.spec.containers[0].image}',
    'get sts db -o jsonpath={.spec.template.spec.containers[0].image}',
  ),
  about(
    'rollout: pause, resume and restart',
    'rollouts',
    'rollout pause deploy/web',
    'rollout pause deploy/web',
    'rollout restart deploy/web',
    'rollout undo deploy/web',
    'rollout resume deploy/web',
    'rollout resume deploy/web',
    'rollout pause sts/db',
    'rollout restart sts/db ds/agent',
    'rollout restart deploy -l app=web -o name',
    'rollout restart cm/settings',
    'rollout restart deploy -l app=none',
  ),
];

const WAITING: readonly Case[] = [
  about(
    'wait: for conditions, values, and that something is there or gone',
    'rollouts',
    'wait deploy/web --for=condition=Available',
    'wait deploy/web --for=condition=available=TRUE -o name',
    'wait deploy/web --for=condition=Available=False --timeout=1s',
    'wait deploy/web sts/db --for=condition=Available --timeout=1s',
    "wait deploy/web --for=jsonpath='{.status.replicas}'=2",
    "wait deploy/web --for=jsonpath='{.status.replicas}'=3 --timeout=0",
    "wait deploy/web --for=jsonpath='{.status.replicas}'",
    "wait deploy/web --for=jsonpath='{.spec.template}'=3 --timeout=1s",
    'wait deploy/web --for=create',
    'wait deploy/nope --for=create --timeout=1s',
    'wait deploy/nope --for=delete --timeout=1s',
    'wait cm/settings --for=delete --timeout=1s',
    'wait deploy/nope --for=condition=Available --timeout=1s',
    'wait deploy -l app=none --for=condition=Available',
    'wait deploy -l app=none --for=delete',
  ),
  {
    ...lines(
      'wait: lines that cannot be followed',
      'wait',
      'wait pod/a',
      'wait pod/a --for=bogus',
      'wait pod/a --for=jsonpath=',
      "wait pod/a --for=jsonpath='{.a}'=1=2",
      "wait pod/a --for=jsonpath='{.a}'=",
      "wait pod/a --for=jsonpath='{.a'=1",
      'wait pods --for=create',
    ),
    sinceMinor: NEWEST,
  },
];

const HAPPENING: readonly Case[] = [
  about(
    'events: what has happened',
    'events',
    'events',
    'events --for deploy/web',
    'events --for web',
    'events --types=Warning',
    'events --types=warning,Normal --no-headers',
    'events --types=Bogus',
    'events -o json',
    'events -o yaml --types=Warning',
    'events -o wide',
    line('events --for=bogus/a', { differs: 'the word error before the message, as before any other' }),
    line('events -o name', { differs: 'the names, where kubectl prints nothing' }),
  ),
  { ...lines('events: none', 'events'), sinceMinor: NEWEST },
  { ...lines('top: where nothing is measured', 'top node', 'top pod', 'top pod a'), sinceMinor: NEWEST },
];

const DECIDING: readonly Case[] = [
  {
    ...lines(
      'auth can-i: yes and no',
      'auth can-i get pods',
      'auth can-i get pods -q',
      'auth can-i get pods/log',
      'auth can-i get pods --subresource=log',
      'auth can-i get /metrics',
      'auth can-i list nodes',
      'auth can-i get storageclasses',
      'auth can-i get bogus',
      'auth can-i get bogus.example.com',
      'auth can-i bogus pods',
      'auth can-i get pods -A',
      "auth can-i '*' '*'",
      'auth can-i',
      'auth can-i get pods x',
      'auth can-i get pods --list',
      'auth can-i --list',
      'auth whoami',
    ),
    sinceMinor: NEWEST,
  },
  {
    ...lines(
      'auth reconcile: adds what is missing, removes what is too much, and makes bindings anew',
      'auth reconcile -f roles.yaml --dry-run=client',
      'auth reconcile -f roles.yaml',
      'auth reconcile -f roles.yaml',
      'auth reconcile -f others.yaml',
      'get role reader -o jsonpath={.rules}',
      'auth reconcile -f roles.yaml --remove-extra-permissions --remove-extra-subjects',
      'get role reader -o jsonpath={.rules}',
      'get rolebinding readers -o jsonpath={.subjects[*].name}',
      'auth reconcile -f rebound.yaml -o name',
      'get rolebinding readers -o jsonpath={.roleRef.name}',
      'auth reconcile',
    ),
    files: {
      'roles.yaml': ROLES,
      'others.yaml': ROLES.replace('[pods]', '[secrets]').replace('jane', 'joe'),
      'rebound.yaml': ROLES.replace('kind: Role, name: reader', 'kind: Role, name: writer'),
    },
    sinceMinor: NEWEST,
  },
  lines('certificate: lines that cannot be followed', 'certificate approve', 'certificate deny nope'),
];

const OPERATING: readonly Case[] = [
  {
    ...lines(
      'cordon, uncordon and drain',
      'cordon node-a',
      'cordon node-a',
      'uncordon node-a --dry-run=client',
      'uncordon node-a',
      'uncordon node-a',
      'cordon nope',
      'cordon',
      'cordon -l a=none',
      'drain node-a',
      'drain node-a --force --dry-run=client',
      'drain node-a --force --timeout=20s',
      'get pods',
      'drain node-a',
      'drain',
      'drain nope',
      'drain node-a -l a=b',
      'drain -l a=none',
      'get node node-a -o jsonpath={.spec.unschedulable}',
    ),
    objects: `apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: v1
kind: Pod
metadata: {name: alone}
spec: {nodeName: node-a, terminationGracePeriodSeconds: 0, containers: [{name: c, image: i}]}
`,
    sinceMinor: NEWEST,
  },
];

export const WORKING_CASES: readonly Case[] = [
  ...DESCRIBING,
  ...ROLLING_OUT,
  ...WAITING,
  ...HAPPENING,
  ...DECIDING,
  ...OPERATING,
];
