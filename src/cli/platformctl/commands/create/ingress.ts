import { optionalText, repeated } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { generator } from './generating.ts';

/** `host/path*=service:port[,tls[=secret]]`. */
const RULE =
  /^(?<host>[^/=,]*)(?<path>\/[^=,]*)?=(?<service>[^:=,/]+):(?<port>[^:=,/]+)(?:,(?<tls>tls)(?:=(?<secret>[^=,]*))?)?$/;

interface IngressRule {
  readonly host: string;
  readonly path: object;
  /** Undefined where the rule names no certificate. */
  readonly secret: string | undefined;
}

const backend = (name: string, port: string) => ({
  service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } },
});

function ruleIn(text: string): IngressRule {
  const found = RULE.exec(text)?.groups;
  if (!found || text.length > 4096) {
    throw new CommandError(`rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
  }
  const { host = '', path = '', service = '', port = '', tls, secret = '' } = found;
  const isPrefix = path.endsWith('*');
  const shown = isPrefix ? path.slice(0, -1) : path;
  return {
    host,
    path: { path: shown, pathType: isPrefix ? 'Prefix' : 'Exact', backend: backend(service, port) },
    secret: tls === undefined ? undefined : secret,
  };
}

/** One element a host, in the order of the rules. */
function byHost(rules: readonly IngressRule[]): object[] {
  const paths = new Map<string, object[]>();
  for (const { host, path } of rules) paths.set(host, [...(paths.get(host) ?? []), path]);
  return [...paths].map(([host, of]) => ({ ...(host === '' ? {} : { host }), http: { paths: of } }));
}

function tlsOf(rules: readonly IngressRule[]): object[] {
  const hostsBySecret = new Map<string, string[]>();
  for (const { host, secret } of rules) {
    if (secret === undefined || host === '') continue;
    const hosts = hostsBySecret.get(secret) ?? [];
    if (!hosts.includes(host)) hostsBySecret.set(secret, [...hosts, host]);
  }
  return [...hostsBySecret].map(([secretName, hosts]) => ({ hosts, ...(secretName === '' ? {} : { secretName }) }));
}

function annotationsOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => {
    const equals = text.indexOf('=');
    if (equals < 1) throw new CommandError(`annotation ${text} is invalid and should be in format key=[value]`);
    return [text.slice(0, equals), text.slice(equals + 1)] as const;
  });
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export const createIngress = generator({
  usage: 'create ingress NAME --rule=host/path=service:port[,tls[=secret]]',
  about: 'Creates an ingress.',
  failing: 'failed to create ingress:',
  flags: {
    rule: repeated('rule', 'RULE', 'a rule, as host/path=service:port,tls=secret'),
    class: optionalText('class', 'NAME', 'class of the ingress'),
    annotation: repeated('annotation', 'KEY=VALUE', 'an annotation of the ingress'),
    defaultBackend: optionalText('default-backend', 'SERVICE:PORT', 'where everything else goes'),
  },
  async make({ flags, meta, session }) {
    if (flags.rule.length === 0 && flags.defaultBackend === undefined) {
      throw new CommandError(
        'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
      );
    }
    const rules = flags.rule.map(ruleIn);
    const [service = '', port = ''] = flags.defaultBackend?.split(':') ?? [];
    if (flags.defaultBackend !== undefined && (service === '' || port === '')) {
      throw new CommandError('default-backend should be in format servicename:serviceport');
    }
    const tls = tlsOf(rules);
    const annotations = annotationsOf(flags.annotation);
    return {
      kind: 'Ingress',
      apiVersion: `${(await session.vocabulary()).groups.networking}/v1`,
      metadata: meta(flags.annotation.length > 0 ? { annotations } : {}),
      spec: {
        ...(flags.class === undefined ? {} : { ingressClassName: flags.class }),
        ...(flags.defaultBackend === undefined ? {} : { defaultBackend: backend(service, port) }),
        ...(tls.length > 0 ? { tls } : {}),
        ...(rules.length > 0 ? { rules: byHost(rules) } : {}),
      },
      status: { loadBalancer: {} },
    };
  },
});
