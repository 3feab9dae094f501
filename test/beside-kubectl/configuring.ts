import { type Case, line } from './cases.ts';

const CONFIG = `
apiVersion: v1
kind: Config
clusters:
- name: far
  cluster: { server: 'https://far.example', certificate-authority-data: UEVN, tls-server-name: inner }
- name: near
  cluster: { server: 'https://near.example', proxy-url: 'http://proxy.example' }
users:
- name: jane
  user: { token: abc }
- name: plugin
  user: { exec: { command: login, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never } }
contexts:
- name: far
  context: { cluster: far, user: jane, namespace: work }
- name: near
  context: { cluster: near, user: plugin }
current-context: far
`;

const shown = (name: string, ...texts: readonly string[]): Case => ({
  name,
  files: { config: CONFIG },
  lines: texts.map((text) => line(`config ${text} --kubeconfig=config`)),
  sinceMinor: 25,
});

/** What leaves other files behind is compared, file by file, in test/platformctl-config.test.ts. */
export const CONFIGURING_CASES: readonly Case[] = [
  shown('a client configuration is shown', 'view', 'view -o json', 'view --raw', 'view --raw -o json'),
  shown(
    'the part that is used is shown',
    'view --minify',
    'view --minify --context=near',
    'view --minify --context=none',
  ),
  shown(
    'contexts',
    'get-contexts',
    'get-contexts near',
    'get-contexts -o name',
    'get-contexts none',
    'current-context',
  ),
  shown('users', 'get-users'),
  shown('another context is used', 'use-context near', 'current-context', 'get-contexts', 'use-context none'),
  shown(
    'entries are removed',
    'delete-context near',
    'delete-cluster near',
    'delete-user plugin',
    'delete-user plugin',
    'view',
  ),
  shown('values are set and unset', 'set clusters.far.server https://else', 'unset users.jane.token', 'view --raw'),
];
