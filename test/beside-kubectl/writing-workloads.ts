import { type Case, line, lines, lineWithOurs } from './cases.ts';

const TODAY = 32;
const today = (one: Case): Case => ({ ...one, sinceMinor: TODAY });

const REQUIRED = 'kubectl writes it as a line of a log, with the time and where in its source it was';
const TYPED = 'kubectl fills in fields without a value, such as status: {}';

const FILES = {
  'one.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  a: b\n',
  'other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  a: c\n',
  'web.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers: [{name: x, image: x}]\n',
};

const withFiles = (one: Case): Case => ({ ...one, files: FILES });

/** What people do to workloads. */
export const WORKLOAD_CASES: readonly Case[] = [
  withFiles(
    today(
      lines(
        'images',
        'create deployment web --image=x --image=second',
        'set image deploy/web x=new',
        'set image deploy/web x=new',
        "set image deploy web '*=all' -o name",
        'set image deploy web nosuch=y',
        'set image deploy web x=q --dry-run=client -o yaml',
        'set image deploy web x=q --dry-run=server',
        'set image deploy web',
        'set image deploy nosuch x=y',
        'set image deploy --all second=last',
        'create cm one',
        'set image cm one x=y',
        line('set image -f web.yaml x=q --local -o yaml', { differs: TYPED }),
      ),
    ),
  ),
  today(
    lines(
      'environment variables',
      'create deployment web --image=x',
      'set env deploy/web A=b C=d',
      'set env deploy/web --list',
      'set env deploy/web A-',
      'set env deploy/web A=b',
      'set env deploy/web A=c --overwrite=false',
      'create configmap one --from-literal=TWO=2',
      'set env deploy/web --from=cm/one --prefix=P_',
      'set env deploy/web --list',
      'set env deploy/web --list --resolve',
      'set env deploy/web Q=r -c nosuch',
      'set env deploy/web E=f --dry-run=client -o yaml',
      'set env deploy/web -e E=f',
      'set env deploy/web X',
      'create secret generic sec --from-literal=KEY=value',
      'set env deploy/web --from=secret/sec --keys=KEY',
    ),
  ),
  today(
    lines(
      'resources, accounts, subjects and selectors',
      'create deployment web --image=x',
      'set resources deploy web --limits=cpu=1,memory=2Gi --requests=cpu=500m',
      'set resources deploy web --limits=cpu=1',
      'set resources deploy web',
      'set resources deploy web -c nosuch --limits=cpu=1',
      'set resources deploy web --limits=cpu=abc',
      'set serviceaccount deploy web sa1',
      'set sa deploy/web sa1',
      'create rolebinding r --clusterrole=view --user=u',
      'set subject rolebinding r --user=v --group=g --serviceaccount=a:b',
      'set subject rolebinding r --user=v',
      'set subject rolebinding r',
      'set subject rolebinding r --serviceaccount=q',
      'create service clusterip s --clusterip=None',
      'set selector svc s a=b',
      'set selector svc s a=b',
      'set selector svc s',
      'set selector deploy web a=b',
    ),
  ),
  withFiles(
    today(
      lines(
        'scaling',
        'create deployment web --image=x',
        'scale deploy web --replicas=2',
        'scale deploy/web --replicas=3 -o name',
        'scale deploy web --replicas=2 --current-replicas=7',
        'scale deploy web --replicas=2 --current-replicas=3',
        'scale deploy web --replicas=2 --dry-run=client',
        'scale deploy web --replicas=5 --dry-run=server',
        'scale deploy nosuch --replicas=2',
        'scale deploy web --replicas=-2',
        'scale deploy --all --replicas=1',
        'scale deploy -l x=y --replicas=1',
        'scale -f web.yaml --replicas=4',
        'create cm one',
        'scale cm one --replicas=2',
        line('scale deploy web', { differs: REQUIRED }),
      ),
    ),
  ),
  // Later ones make autoscalers of v2.
  {
    ...lines(
      'autoscaling',
      'create deployment web --image=x',
      'autoscale deploy web --max=5',
      'autoscale deploy web --max=5 --min=2 --cpu-percent=80 --name=foo -o json --dry-run=client',
      'autoscale deploy web --max=5 --name=q -o yaml',
      'autoscale deploy web --max=1 --min=2',
      'create cm one',
      'autoscale cm one --max=1',
      line('autoscale deploy web', { differs: REQUIRED }),
    ),
    sinceMinor: TODAY,
    untilMinor: 32,
  },
  today(
    lines(
      'exposing',
      'create deployment web --image=x --port=80',
      'expose deploy web --cluster-ip=None',
      'expose deploy web --port=80 --target-port=http --name=b --type=NodePort -l q=r --dry-run=client -o json',
      'expose svc web --port=81 --name=c -o yaml --dry-run=client',
      'expose deploy web --name=d --dry-run=client -o yaml',
      'expose deploy web --port=80,90 --name=m --protocol=UDP --external-ip=1.2.3.4 --session-affinity=ClientIP --cluster-ip=None -o json --dry-run=client',
      'expose deploy nosuch --port=1',
      'expose deploy web --port=80 --selector=a=b --name=sel --dry-run=server',
      'expose deploy web --port=80',
      'create cm one',
      'expose cm one --port=80',
    ),
  ),
  today(
    lines(
      'pods that run an image',
      'run p --image=i --dry-run=client -o json',
      'run p --image=i --env=A=b --labels=x=y,z=w --port=80 --restart=Never --annotations=a=b --dry-run=client -o json -- sh -c x',
      'run p --image=i --command --image-pull-policy=Always --dry-run=client -o yaml -- x',
      'run p --image=i --privileged --overrides={"spec":{"nodeName":"x"}} --dry-run=client -o json',
      line('run p', { differs: REQUIRED }),
      'run --image=i',
      'run p --image=i --expose',
    ),
  ),
  withFiles(
    today({
      name: 'what was applied last',
      lines: [
        lineWithOurs('apply -f one.yaml', 'apply --client-side -f one.yaml'),
        line('apply view-last-applied cm one'),
        line('apply view-last-applied cm/one -o json'),
        line('apply view-last-applied cm one -o name'),
        line('apply view-last-applied cm nosuch'),
        line('apply set-last-applied -f other.yaml'),
        line('apply set-last-applied -f other.yaml'),
        line('apply view-last-applied -f one.yaml'),
        line('create cm plain'),
        line('apply view-last-applied cm plain'),
      ],
    }),
  ),
  withFiles(
    today({
      name: 'differences',
      lines: [
        lineWithOurs('apply --server-side -f one.yaml', 'apply -f one.yaml'),
        lineWithOurs('diff --server-side -f one.yaml', 'diff -f one.yaml'),
        line('diff -f one.yaml', { differs: 'names of temporary folders; the exit code is what scripts look at' }),
        line('diff -f other.yaml', { differs: 'names of temporary folders; the exit code is what scripts look at' }),
        line('diff -f web.yaml', { differs: 'names of temporary folders; the exit code is what scripts look at' }),
        line('diff -f nosuch.yaml'),
        line('diff'),
      ],
    }),
  ),
  today(
    lines(
      'taints',
      'taint node nosuch a=b:NoSchedule',
      'taint node nosuch a=b:foo',
      'taint node nosuch',
      'taint cm x a=b:NoSchedule',
      'taint node nosuch x:NoSchedule x:NoSchedule-',
    ),
  ),
];
