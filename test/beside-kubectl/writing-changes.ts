import { type Case, lines } from './cases.ts';

const TODAY = 32;
const today = (one: Case): Case => ({ ...one, sinceMinor: TODAY });

const FILES = {
  'one.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  a: b\n',
  'many.yaml': ['a', 'b', 'c']
    .map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels: {group: x}\n`)
    .join('---\n'),
  'patch.yaml': 'data:\n  from: file\n',
};

export const CHANGE_CASES: readonly Case[] = [
  {
    ...today(
      lines(
        'labels',
        'create -f one.yaml',
        'label cm one a=b',
        'label cm one a=b',
        'label cm one a=c',
        'label cm one a=c --overwrite',
        'label cm one a-',
        'label cm one a-',
        'label configmap/one x=y z=w -o yaml',
        'label cm one q=r --dry-run=client -o name',
        'label cm one q=r --dry-run=server',
        'label cm one x=1 x-',
        'label cm one',
        'label cm one nosuch n=1',
        'label cm one bad=-',
        'label cm one x=5 --resource-version=1 --overwrite',
        'label -f one.yaml q=r --local -o yaml',
        'label -f one.yaml f=1',
        'label cm one f- x-',
      ),
    ),
    files: FILES,
  },
  {
    ...today(
      lines(
        'labels of many',
        'create -f many.yaml',
        'label cm --all all=yes',
        'label cm -l group=x more=1 --overwrite',
        'label cm -l group=none more=1',
        'label cm a -l group=x more=1',
        'label cm --list',
      ),
    ),
    files: FILES,
  },
  {
    ...today(
      lines(
        'annotations',
        'create -f one.yaml',
        "annotate cm one a=b c='d e'",
        'annotate cm one a=b',
        'annotate cm one a-',
        'annotate cm one c=1 --overwrite -o name',
        'annotate cm one x=y --dry-run=client',
        'annotate cm one',
        'annotate cm nosuch a=b',
      ),
    ),
    files: FILES,
  },
  {
    ...today(
      lines(
        'patches',
        'create -f one.yaml',
        'create deployment web --image=x',
        `patch cm one -p {"data":{"x":"y"}}`,
        `patch cm one -p {"data":{"x":"y"}}`,
        `patch cm one --type=json -p [{"op":"replace","path":"/data/x","value":"z"}]`,
        `patch cm one --type=merge -p 'data: {q: r}' --dry-run=client -o yaml`,
        `patch cm one -p {"data":{"x":"yy"}} --dry-run=server`,
        `patch deploy web -p {"spec":{"template":{"spec":{"containers":[{"name":"x","image":"q"},{"name":"y","image":"r"}]}}}}`,
        `patch deploy web -p {"spec":{"template":{"spec":{"containers":[{"name":"y","$patch":"delete"}]}}}} --dry-run=client -o yaml`,
        `patch deploy web --subresource=scale --type=merge -p {"spec":{"replicas":3}}`,
        'patch cm nosuch -p {}',
        'patch cm one --type=foo -p {}',
        'patch cm one two -p {}',
        'patch cm -p {}',
        'patch cm one',
        `patch cm one --type=json -p [{"op":"remove","path":"/nosuch"}]`,
        `patch cm one -p {"data":{"x":7}}`,
        'patch cm one --patch-file patch.yaml -o name',
        `patch -f one.yaml -p {"data":{"l":"o"}} --local -o yaml`,
        `patch -f one.yaml -p {"data":{"l":"o"}}`,
      ),
    ),
    files: FILES,
  },
  {
    ...today(
      lines(
        'replacements',
        'replace -f one.yaml',
        'create -f one.yaml',
        'label cm one gone=soon',
        'replace -f one.yaml',
        'replace -f one.yaml -o name',
        'replace -f one.yaml --dry-run=server',
        'replace -f one.yaml --dry-run=client',
        'replace -f one.yaml --force',
        'replace -f one.yaml --force --dry-run=client',
        'replace -f one.yaml --save-config -o yaml',
        'replace',
      ),
    ),
    files: FILES,
  },
  {
    ...today(
      lines(
        'deletions',
        'create -f many.yaml',
        'create -f one.yaml',
        'delete cm a --dry-run=client',
        'delete cm a --dry-run=server -o name',
        'delete cm a nosuch',
        'delete cm nosuch --ignore-not-found',
        'delete cm -l group=none',
        'delete cm -l group=x -o name',
        'delete -f one.yaml',
        'delete -f one.yaml',
        'delete -f one.yaml --ignore-not-found',
        'delete cm x --grace-period=5 --force',
        'delete cm x --now --grace-period=3',
        'delete cm x -o json',
        'delete cm/x secret/y',
        'delete cm',
        'delete',
        'delete cm x --all',
        'delete cm x -l a=b',
        'delete nosuch x',
        'delete cm x -A',
      ),
    ),
    files: FILES,
  },
  {
    ...today(
      lines(
        'forced deletions, and those of others',
        'create -f one.yaml',
        'create deployment web --image=x',
        'delete cm one --force',
        'delete deploy web --cascade=orphan',
        'delete cm one --cascade=foo',
        'delete clusterrole nosuch',
        'delete cm --all -l a=b',
        'delete pod/x svc',
        'delete pods,svc x y',
      ),
    ),
    files: FILES,
  },
];
