import { type Case, type Line, line, lines, lineWithOurs } from './cases.ts';

const TODAY = 32;
const today = (one: Case): Case => ({ ...one, sinceMinor: TODAY });

/** What kubectl does unless told otherwise is asked for by name here, and the other way round. */
const clientSide = (text: string): Line => lineWithOurs(`apply ${text}`, `apply --client-side ${text}`);
const serverSide = (text: string): Line => lineWithOurs(`apply --server-side ${text}`, `apply ${text}`);

const DEPRECATION = 'kubectl logs that kinds without a namespace will not be pruned by default; here they are not';

const deployment = (containers: string, more = ''): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels: {app: web}\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers: ${containers}\n${more}`;

const FILES = {
  'one.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n  labels: {set: x}\ndata:\n  a: b\n  c: d\n',
  'less.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n  labels: {set: x}\ndata:\n  a: other\n',
  'two.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: two\n  labels: {set: x}\n',
  'web.yaml': deployment(
    '[{name: a, image: a}, {name: b, image: b, env: [{name: X, value: "1"}]}]',
    '  strategy: {type: Recreate}\n',
  ),
  'web2.yaml': deployment('[{name: b, image: b2, env: [{name: W, value: "1"}]}, {name: c, image: c}]'),
  'unknown.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: strange\ndta:\n  a: b\n',
};

export const APPLY_CASES: readonly Case[] = [
  {
    ...today(
      lines(
        'apply, merged by the client',
        clientSide('-f one.yaml'),
        clientSide('-f one.yaml'),
        clientSide('-f less.yaml'),
        clientSide('-f less.yaml -o yaml'),
        clientSide('-f one.yaml --dry-run=server'),
        clientSide('-f one.yaml --dry-run=client'),
        clientSide('-f two.yaml --dry-run=client -o yaml'),
        clientSide('-f one.yaml -f two.yaml'),
        clientSide('-f nosuch.yaml'),
        clientSide('-f unknown.yaml'),
        line('apply'),
      ),
    ),
    files: FILES,
  },
  {
    ...today(
      lines(
        'apply to what others have changed',
        'create -f one.yaml',
        clientSide('-f one.yaml'),
        'label cm one theirs=1',
        'patch cm one -p {"data":{"theirs":"1"}}',
        clientSide('-f less.yaml'),
      ),
    ),
    files: FILES,
  },
  {
    ...today(
      lines(
        'apply of lists that merge by key',
        clientSide('-f web.yaml'),
        `patch deploy web -p {"spec":{"template":{"spec":{"containers":[{"name":"theirs","image":"t"}]}}}}`,
        'set image deploy web b=changed',
        clientSide('-f web2.yaml'),
        {
          ...clientSide('-f web2.yaml'),
          differs: 'kubectl sends the order of a list again when others have added to it, and calls that configured',
        },
        clientSide('-f web.yaml'),
      ),
    ),
    files: FILES,
  },
  {
    ...today(
      lines(
        'apply, merged by the plane',
        serverSide('-f one.yaml'),
        serverSide('-f one.yaml'),
        serverSide('-f less.yaml'),
        serverSide('-f web.yaml'),
        serverSide('-f web2.yaml -o yaml'),
        serverSide('-f two.yaml --dry-run=server'),
        line('apply -f two.yaml --server-side --dry-run=client'),
        serverSide('-f unknown.yaml'),
      ),
    ),
    files: FILES,
  },
  {
    ...today({
      name: 'apply of fields that others manage',
      lines: [
        line('apply --server-side -f one.yaml --field-manager=other'),
        {
          ...serverSide('-f less.yaml'),
          differs: 'a conflict is told with times and values, where kubectl has names and fields alone',
        },
        serverSide('-f less.yaml --force-conflicts'),
        line('apply --server-side -f one.yaml --field-manager=other --force-conflicts'),
      ],
    }),
    files: FILES,
  },
  {
    ...today(
      lines(
        'pruning',
        clientSide('-f one.yaml -f two.yaml'),
        clientSide('-f two.yaml --prune'),
        { ...clientSide('-f two.yaml --prune -l set=x --dry-run=client'), differs: DEPRECATION },
        { ...clientSide('-f two.yaml --prune -l set=x'), differs: DEPRECATION },
        clientSide('-f two.yaml --prune -l set=x --prune-allowlist=core/v1/Secret'),
      ),
    ),
    files: FILES,
  },
];
