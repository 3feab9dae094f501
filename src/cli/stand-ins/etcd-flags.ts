import { parseArgs } from 'node:util';
import { UsageError } from '../../settings/flag.ts';
import { ETCD_VERSION } from './stand-in-answer.ts';

/** The flags of etcd that tools pass, with what they are when they are not. Most mean nothing to what keeps no objects. */
const FLAGS: Readonly<Record<string, string>> = {
  'advertise-client-urls': 'http://localhost:2379',
  'auto-compaction-mode': 'periodic',
  'auto-compaction-retention': '0',
  'auto-tls': 'false',
  'cert-file': '',
  'client-cert-auth': 'false',
  'data-dir': '',
  'election-timeout': '1000',
  'enable-pprof': 'false',
  'enable-v2': 'false',
  'heartbeat-interval': '100',
  'initial-advertise-peer-urls': '',
  'initial-cluster': '',
  'initial-cluster-state': 'new',
  'initial-cluster-token': 'etcd-cluster',
  'key-file': '',
  'listen-client-urls': 'http://localhost:2379',
  'listen-metrics-urls': '',
  'listen-peer-urls': 'http://localhost:2380',
  'log-level': 'info',
  'log-outputs': 'default',
  logger: 'zap',
  'max-request-bytes': '1572864',
  'max-txn-ops': '128',
  metrics: 'basic',
  name: 'default',
  'peer-auto-tls': 'false',
  'peer-cert-file': '',
  'peer-key-file': '',
  'quota-backend-bytes': '0',
  'snapshot-count': '100000',
  'strict-reconfig-check': 'true',
  'trusted-ca-file': '',
  'unsafe-no-fsync': 'false',
  'wal-dir': '',
};

/** Those that may stand without a value. */
const SWITCHES = new Set(Object.keys(FLAGS).filter((name) => ['true', 'false'].includes(FLAGS[name] ?? '')));

export interface EtcdFlags {
  readonly clientUrls: readonly URL[];
  readonly peerUrls: readonly URL[];
}

/** What a command line asks for: ports to hold, or a text. Throws an Error of one line about what is wrong with it. */
export function readEtcdFlags(args: readonly string[]): EtcdFlags | { readonly text: string } {
  if (args.includes('--help') || args.includes('-h')) return { text: help() };
  if (args.includes('--version')) return { text: `etcd Version: ${ETCD_VERSION}\n` };
  const given = args.map((argument) => (SWITCHES.has(argument.slice(2)) ? `${argument}=true` : argument));
  const options = Object.fromEntries(Object.keys(FLAGS).map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: given, options, strict: true });
  const of = (name: string): URL[] => urlsIn(name, values[name] ?? FLAGS[name] ?? '');
  return { clientUrls: of('listen-client-urls'), peerUrls: of('listen-peer-urls') };
}

const MOST_URLS = 16;

function urlsIn(name: string, text: string): URL[] {
  const parts = text.split(',').filter((part) => part !== '');
  if (parts.length > MOST_URLS) throw new UsageError(`--${name} has more than ${MOST_URLS} addresses`);
  return parts.map((part) => {
    const url = URL.canParse(part) ? new URL(part) : undefined;
    if (url?.protocol === 'http:') return url;
    throw new UsageError(`--${name}: "${part}" is not http://HOST:PORT, and a stand-in speaks nothing else`);
  });
}

/** Tools look here for flags that some releases have. */
const help = (): string =>
  `usage: etcd [flags]

A stand-in by platform-apiserver for tools that start etcd and an API server themselves. It holds ports and answers for its
health; objects are kept by the API server that stands in beside it.

${Object.entries(FLAGS)
  .map(([name, fallback]) => `  --${name} '${fallback}'`)
  .join('\n')}
`;
