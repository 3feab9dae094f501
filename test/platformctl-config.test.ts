import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeKubectl, Kubectl } from './support/kubectl.ts';
import { Platformctl } from './support/platformctl.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** `platformctl config` and `kubectl config`: the same lines print the same, and leave the same files. */

interface ConfigCase {
  readonly name: string;
  /** Files before the first line. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the variable lists; `config` unless given. */
  readonly sources?: readonly string[];
  readonly lines: readonly string[];
  /** Lines whose words on standard error differ, and why. */
  readonly otherWords?: Readonly<Record<string, string>>;
}

const FULL = `
apiVersion: v1
kind: Config
preferences: { colors: true }
clusters:
- name: zebra
  cluster: { server: 'https://zebra', certificate-authority-data: UEVN, proxy-url: 'http://p', tls-server-name: inner }
- name: ape
  cluster:
    certificate-authority: ca.crt
    server: https://ape
    extensions: [{ name: x, extension: { b: [1, 'y', null], a: { c: 'on' } } }]
users:
- name: certificate
  user: { client-certificate: client.crt, client-key-data: S0VZ, as: jane, as-groups: [b, a], as-user-extra: { s: [x] } }
- name: password
  user: { username: joe, password: secret }
- name: plugin
  user: { exec: { command: ./login, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, env: [{ name: A, value: '1' }] } }
- name: token
  user: { token: abc }
contexts:
- name: zebra
  context: { cluster: zebra, user: token, namespace: work }
- name: ape
  context: { cluster: ape, user: certificate }
current-context: zebra
`;

const PEM_FILES = { 'ca.crt': 'AUTHORITY\n', 'client.crt': 'CERTIFICATE\n' };

const OLDEST_MINOR = 25;
const USAGE = 'kubectl prints how it is used besides, on standard output';
const POINTERS = 'kubectl prints addresses of memory';

const CASES: readonly ConfigCase[] = [
  {
    name: 'nothing is there',
    lines: ['view', 'view -o json', 'current-context', 'get-contexts', 'get-clusters', 'get-users', 'view --minify'],
  },
  {
    name: 'a configuration is shown',
    files: { config: FULL, ...PEM_FILES },
    lines: [
      'view',
      'view --raw',
      'view -o json',
      'view -o json --raw',
      'view --minify',
      'view --minify --raw -o json',
      'view --minify --context=ape',
      'view --context=none',
      'view --minify --context=none',
      'view --flatten',
      'view --flatten --raw',
      'view --merge=false',
      'view -o table',
      'current-context',
      'get-contexts',
      'get-contexts ape',
      'get-contexts -o name',
      'get-contexts none',
      'get-contexts --no-headers',
      'get-contexts -o yaml',
      'get-users',
    ],
    otherWords: { 'view -o table': 'kubectl has formats that are listed elsewhere' },
  },
  {
    name: 'a cluster is set',
    files: PEM_FILES,
    lines: [
      'set-cluster e2e',
      'set-cluster e2e --server=https://1.2.3.4 --tls-server-name=inner',
      'set-cluster e2e --server=https://5.6.7.8',
      'set-cluster e2e --tls-server-name=other --proxy-url=http://proxy',
      'set-cluster e2e --certificate-authority=ca.crt',
      'set-cluster e2e --insecure-skip-tls-verify=true',
      'set-cluster e2e --insecure-skip-tls-verify=false',
      'set-cluster e2e --certificate-authority=ca.crt --embed-certs=true',
      'set-cluster e2e --certificate-authority=/nowhere/ca.crt',
      'set-cluster e2e --certificate-authority=none.crt --embed-certs=true',
      'set-cluster e2e --embed-certs=true',
      'set-cluster e2e --certificate-authority=ca.crt --insecure-skip-tls-verify=true',
      'set-cluster another --proxy-url=http://proxy',
      'set-cluster e2e --proxy-url=',
      'delete-cluster another',
      'delete-cluster another',
      'get-clusters',
    ],
  },
  {
    name: 'credentials are set',
    files: PEM_FILES,
    lines: [
      'set-credentials jane',
      'set-credentials jane --client-certificate=client.crt --client-key=ca.crt',
      'set-credentials jane --client-certificate=client.crt --embed-certs=true',
      'set-credentials jane --token=abc',
      'set-credentials jane --username=jane --password=secret',
      'set-credentials jane --token=abc',
      'set-credentials jane --token=abc --username=jane',
      'set-credentials jane --embed-certs=true',
      'set-credentials jane --exec-arg=ignored',
      'set-credentials plugin --exec-command=login --exec-api-version=client.authentication.k8s.io/v1',
      'set-credentials plugin --exec-arg=one --exec-arg=two,three --exec-env=B=x=y',
      'set-credentials plugin --exec-env=A- --exec-env=C=3',
      'set-credentials plugin --exec-command=/usr/bin/login --exec-arg=four',
      'get-users',
      'delete-user jane',
      'delete-user jane',
      'view --raw',
    ],
  },
  {
    name: 'contexts are set, used, renamed and deleted',
    lines: [
      'set-context one --cluster=c --user=u --namespace=n',
      'set-context two',
      'set-context one --namespace=m',
      'set-context --current --namespace=x',
      'use-context one',
      'set-context --current --namespace=x',
      'set-context --current --user=',
      'set-context --current one',
      'set-context',
      'use-context none',
      'use two',
      'get-contexts',
      'rename-context two three',
      'current-context',
      'rename-context one three',
      'rename-context none four',
      'delete-context three',
      'delete-context three',
      'current-context',
      'get-contexts',
    ],
  },
  {
    name: 'properties are set and unset',
    files: { config: FULL },
    lines: [
      'set clusters.zebra.server https://9',
      'set clusters.10.1.1.1.insecure-skip-tls-verify true',
      'set clusters.ape.insecure-skip-tls-verify false',
      'set clusters.ape.insecure-skip-tls-verify maybe',
      'set clusters.ape.certificate-authority-data aGk=',
      'set clusters.ape.certificate-authority-data hello --set-raw-bytes=true',
      'set users.new.token abc',
      'set users.certificate.client-certificate /elsewhere.crt',
      'set contexts.zebra.namespace other',
      'set current-context ape',
      'set preferences.colors false',
      'set preferences.colors true',
      'set clusters.ape x',
      'set nonsense x',
      'unset contexts.zebra.namespace',
      'unset users.plugin.exec',
      'unset clusters.none.server',
      'unset clusters.none',
      'unset users.password',
      'unset current-context',
      'unset nonsense',
      'unset preferences',
      'unset contexts',
      'view --raw',
    ],
    otherWords: {
      'set clusters.ape x': POINTERS,
      'set nonsense x': POINTERS,
      'unset nonsense': POINTERS,
    },
  },
  {
    name: 'several files are merged, and each entry is changed where it is',
    files: {
      'one/config':
        'clusters: [{name: a, cluster: {server: one}}]\ncontexts: [{name: x, context: {cluster: a, user: u}}]',
      'two/config':
        'current-context: why\nclusters: [{name: a, cluster: {server: two}}, {name: b, cluster: {server: two}}]\ncontexts: [{name: why, context: {cluster: b, user: v}}]',
    },
    sources: ['none/config', 'one/config', 'two/config', 'three/config'],
    lines: [
      'view',
      'set-cluster b --proxy-url=http://b',
      'set-cluster c --server=new',
      'set-context why --namespace=n',
      'use-context x',
      'unset current-context',
      'current-context',
      'unset current-context',
      'set-credentials v --token=t',
      'rename-context why zed',
      'delete-cluster a',
      'view',
      'delete-context zed',
      'view --raw -o json',
    ],
  },
  {
    name: 'a file that is not there yet is the last of the list',
    sources: ['first/config', 'second/config'],
    lines: ['set-context x --cluster=c', 'use-context x', 'view'],
  },
  {
    name: 'one file alone is changed when it is named',
    files: { other: FULL },
    lines: [
      'set-cluster new --server=https://new --kubeconfig=other',
      'use-context ape --kubeconfig=other',
      'unset current-context --kubeconfig=other',
      'set-context fresh --kubeconfig=made/here/config',
      'view --kubeconfig=made/here/config',
      'view --kubeconfig=none',
      'view --merge=false --kubeconfig=other --minify --context=zebra',
    ],
  },
  {
    name: 'lines that cannot be followed',
    lines: [
      'view extra',
      'use-context',
      'use-context a b',
      'set a',
      'unset',
      'rename-context a',
      'delete-user',
      'set-cluster a b',
    ],
    otherWords: {
      'view extra': USAGE,
      'use-context': USAGE,
      'use-context a b': USAGE,
      'set a': USAGE,
      unset: USAGE,
      'rename-context a': USAGE,
      'delete-user': USAGE,
      'set-cluster a b': USAGE,
    },
  },
];

interface Outcome {
  readonly line: string;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: Readonly<Record<string, string>>;
}

describeKubectl('platformctl config beside kubectl config', (program) => {
  // Releases before this one know fewer fields, and hide less.
  describe.skipIf(program.minor < OLDEST_MINOR).each(CASES.map((one) => [one.name, one] as const))(
    '%s',
    (_name, one) => {
      it('does and prints the same', async () => {
        const run = async (
          start: (directory: string, list: string) => { run(words: readonly string[]): Promise<Ran> },
        ) => {
          const directory = await temporaryDirectory();
          const sources = one.sources ?? ['config'];
          await mkdir(join(directory, 'first'), { recursive: true });
          for (const [name, text] of Object.entries(one.files ?? {})) {
            await mkdir(join(directory, name, '..'), { recursive: true });
            await writeFile(join(directory, name), text);
          }
          const ctl = start(directory, sources.map((each) => join(directory, each)).join(delimiter));
          const outcomes: Outcome[] = [];
          for (const line of one.lines) outcomes.push(await outcomeOf(one, line, directory, (words) => ctl.run(words)));
          return outcomes;
        };
        const theirs = await run((directory, list) => new Kubectl(program, directory, list));
        const ours = await run((directory, list) => new Platformctl(directory, list));
        expect(ours).toEqual(theirs);
      });
    },
  );
});

type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

async function outcomeOf(
  one: ConfigCase,
  line: string,
  directory: string,
  run: (words: readonly string[]) => Promise<Ran>,
): Promise<Outcome> {
  const { code, stdout, stderr } = await run(['config', ...line.split(' ')]);
  const plain = (text: string): string =>
    text.replaceAll(directory, 'FOLDER').replaceAll(/kubectl|platformctl/g, 'CTL');
  const named = ['config', 'other', 'made/here/config', ...(one.sources ?? [])];
  const files = named
    .filter((name) => existsSync(join(directory, name)))
    .map((name) => [name, plain(readFileSync(join(directory, name), 'utf8'))]);
  const differs = one.otherWords?.[line];
  return {
    line,
    code,
    stdout: differs === USAGE ? '' : plain(stdout),
    stderr: differs === undefined ? plain(stderr) : '',
    files: Object.fromEntries(files),
  };
}
