import { type Case, line, lines } from './cases.ts';

/** Releases before this one have other fields in what they generate, other flags, and check objects themselves. */
const TODAY = 32;

const today = (one: Case): Case => ({ ...one, sinceMinor: TODAY });

const REQUIRED = 'kubectl writes it as a line of a log, with the time and where in its source it was';

const withFiles = (files: Readonly<Record<string, string>>, one: Case): Case => ({ ...one, files });

const FILES = {
  'one.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  a: b\n',
  'two.json': '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"two"},"data":{"c":"d"}}',
  'unknown.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: strange\ndta:\n  a: b\n',
  'list.yaml':
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: l1}\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: l2}\n',
  'generated.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ""\n  generateName: gen-\n',
  'elsewhere.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n  namespace: elsewhere\n',
  'nokind.yaml': 'apiVersion: v1\nmetadata:\n  name: one\n',
  'custom.yaml': 'apiVersion: example.com/v1\nkind: Nothing\nmetadata:\n  name: one\n',
  'env.txt': 'A=1\n# a comment\n\nB=two words\n',
  'plain.txt': 'some text\n',
};

export const CREATION_CASES: readonly Case[] = [
  lines('config maps of values', 'create configmap a --from-literal=k=v --from-literal=l="w"', 'create cm b'),
  withFiles(
    FILES,
    lines(
      'config maps of files',
      'create configmap a --from-file=plain.txt --from-file=other=plain.txt',
      'create configmap b --from-env-file=env.txt',
      'create configmap c --from-env-file=env.txt --append-hash',
      'create configmap d --from-literal=a=b --append-hash -o name',
      'create configmap e --from-file=nosuch.txt',
      'create configmap f --from-literal=nothing',
    ),
  ),
  today(
    lines(
      'objects that are only shown',
      'create configmap a --from-literal=k=v --dry-run=client -o yaml',
      'create configmap a --from-literal=k=v --dry-run=client -o json',
      'create configmap a --from-literal=k=v --dry-run=server -o json',
      'create configmap a --from-literal=k=v --save-config -o json',
      'create namespace x --dry-run=client -o json',
      'create serviceaccount x --dry-run=client -o yaml',
    ),
  ),
  today(
    lines(
      'secrets',
      'create secret generic a --from-literal=k=v -o yaml',
      'create secret generic b --from-literal=k=v --type=example.com/x -o json',
      'create secret generic c --from-literal=k=v --append-hash',
      'create secret docker-registry d --docker-username=u --docker-password=p --docker-email=e@x -o json',
      'create secret docker-registry e --docker-server=https://r --docker-username=u --docker-password=p -o name',
    ),
  ),
  today(
    lines(
      'deployments',
      'create deployment a --image=registry/web:1 -o json',
      'create deploy b --image=one --image=two/three@sha256:00 --replicas=3 -o yaml',
      'create deployment c --image=x --port=80',
      'create deployment d --image=x --dry-run=client -o yaml',
      line('create deployment e', { differs: REQUIRED }),
      'create deployment a --image=x',
    ),
  ),
  lines('a deployment with a command', 'create deployment a --image=x -- sleep 1000'),
  today(
    lines(
      'services',
      'create service clusterip a --tcp=80:8080 --tcp=443 --dry-run=client -o json',
      'create svc clusterip b --clusterip=None -o name',
      'create service nodeport c --tcp=80:http --dry-run=client -o yaml',
      'create service loadbalancer d --tcp=80 --dry-run=client -o yaml',
      'create service externalname e --external-name=example.com -o name',
      'create service clusterip f --tcp=5000 --dry-run=server',
    ),
  ),
  today(
    lines(
      'roles',
      'create role a --verb=get,list --verb=get --resource=pods,deploy --resource=pods/log -o json',
      "create role b --verb='*' --resource='*' -o yaml",
      'create role c --verb=get --resource=pods --resource-name=x --resource-name=y -o yaml',
      line('create role d --verb=get --resource=nosuch', { differs: 'kubectl leaves out the word error here alone' }),
      'create role e --resource=pods',
      'create clusterrole f --verb=get --non-resource-url=/a,/b --dry-run=client -o json',
      'create clusterrole g --aggregation-rule=a=b,c=d --dry-run=client -o yaml',
      'create clusterrole h --verb=get --resource=nodes --dry-run=client -o yaml',
    ),
  ),
  today(
    lines(
      'bindings',
      'create rolebinding a --clusterrole=view --user=u --group=g --serviceaccount=n:s -o json',
      'create rolebinding b --clusterrole=admin --user=u --dry-run=client -o yaml',
      'create rolebinding c --clusterrole=admin --role=x --user=u',
      'create clusterrolebinding d --clusterrole=view --group=g --dry-run=client -o yaml',
    ),
  ),
  today(
    lines(
      'quotas, budgets and classes',
      'create quota a --hard=cpu=1,pods=10 --scopes=NotTerminating -o json',
      'create quota b --hard=pods=1 --dry-run=client -o yaml',
      'create poddisruptionbudget a --selector=app=x --min-available=50% -o json',
      'create pdb b --selector=app=x --max-unavailable=1 --dry-run=client -o json',
      'create pdb c --selector=app=x',
      'create priorityclass d --value=10 --global-default --description=why --dry-run=client -o json',
    ),
  ),
  today(
    lines(
      'jobs',
      "create cronjob a --image=x --schedule='*/5 * * * *' -o json",
      'create job b --image=x --dry-run=client -o json',
      'create job c --from=cronjob/a --dry-run=client -o json',
      'create job d --from=cronjob/a',
      'create job e --image=x -- date',
      'create job f',
      'create job g --from=cronjob/nosuch',
    ),
  ),
  today(
    lines(
      'ingresses',
      'create ingress a --rule=example.com/path=svc:80,tls=cert --rule=example.com/other*=svc:http --class=c -o json',
      'create ingress b --default-backend=svc:80 --annotation=k=v --dry-run=client -o json',
      'create ingress c --rule=/=svc:80 -o name',
      'create ingress d',
    ),
  ),
  {
    ...withFiles(
      FILES,
      lines(
        'objects of files',
        'create -f one.yaml',
        'create -f one.yaml',
        'create -f one.yaml -f two.json',
        'create -f list.yaml',
        'create -f elsewhere.yaml',
        'create -f nosuch.yaml',
      ),
    ),
  },
  today(
    withFiles(
      FILES,
      lines(
        'what is shown of objects in files',
        'create -f two.json --dry-run=client -o yaml',
        'create -f two.json --dry-run=server -o yaml',
        'create -f two.json --save-config -o json',
        'create -f unknown.yaml',
        'create -f unknown.yaml --validate=warn',
        'create -f unknown.yaml --validate=ignore --dry-run=server',
        'create -f custom.yaml',
        'create',
        'create -f one.yaml extra',
        line('create -f - -o name', { stdin: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"piped"}}' }),
      ),
    ),
  ),
];
