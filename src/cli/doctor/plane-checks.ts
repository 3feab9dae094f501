import { connect } from 'node:tls';
import { discover } from '../../client/discovery.ts';
import { HttpTransport } from '../../client/http-transport.ts';
import { ConfiguredIdentity } from '../../client/identity.ts';
import { type AnyObject, PlaneClient, type Send } from '../../client/plane-client.ts';
import type { ServedKind } from '../../client/served-kind.ts';
import type { Connection } from '../../outbound/config.ts';
import { readCertificates } from '../../pki/keys.ts';
import { type Runtime, sleep } from '../../runtime/runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { certificateFindings } from './certificate-checks.ts';
import { growth, type Sample, samplesOf } from './exposition.ts';
import { type Finding, looked, ok, problem, warning } from './finding.ts';
import { hotWriterFindings } from './hot-writers.ts';

const PATIENCE_MS = 10_000;
const TOLERATED_SKEW_MS = 5_000;
const RIGHTS = 'ask as someone who may read this, such as the administrator';

/** Everything that can be told of a plane by asking it. Metrics are read twice, `sampleMs` apart. */
export async function planeFindings(
  connection: Connection,
  runtime: Runtime,
  sampleMs: number,
): Promise<readonly Finding[]> {
  const transport = new HttpTransport(connection, runtime, 'doctor');
  try {
    const sendPatiently = transport.sendAs(new ConfiguredIdentity(connection, runtime));
    const send: Send = (request) => sendPatiently({ timeoutMs: PATIENCE_MS, retries: 0, ...request });
    const health = await healthFindings(connection, send, runtime);
    if (health.some(({ subject }) => subject === 'connection')) return health;
    const kinds = [...(await discover(new PlaneClient(send, ''))).discovered.all()];
    const client = new PlaneClient(send, metaGroupOf(kinds));
    const parts = await Promise.all([
      looked('certificates', () => shownCertificates(connection, runtime), 'see who answers at this address'),
      looked('apiservices', () => serviceFindings(client, kinds), RIGHTS),
      looked('webhooks', () => metricFindings(send, client, kinds, runtime, sampleMs), RIGHTS),
    ]);
    return [...health, ...parts.flat()];
  } finally {
    transport.close();
  }
}

/** Of the vocabulary that the plane speaks: one of its groups says which. */
function metaGroupOf(kinds: readonly ServedKind[]): string {
  const served = new Set(kinds.map(({ group }) => group));
  const spoken = Object.values(vocabularies).find(({ groups }) => served.has(groups.apiregistration));
  return (spoken ?? vocabularies.platform).groups.meta;
}

/** Whether it answers and calls itself ready, and what its clock says. */
async function healthFindings(connection: Connection, send: Send, runtime: Runtime): Promise<Finding[]> {
  const before = runtime.now();
  const answer = await send({ method: 'GET', target: '/readyz?verbose', accept: '*/*' }).catch(
    (error: unknown) => error,
  );
  if (answer instanceof Error || typeof answer !== 'object' || answer === null || !('status' in answer)) {
    const why = answer instanceof Error ? answer.message : String(answer);
    return [problem('connection', `${connection.server} does not answer: ${why}`, 'start the server, or see its log')];
  }
  const { status, body, headers } = answer as Awaited<ReturnType<Send>>;
  const failing = body
    .toString('utf8', 0, 65_536)
    .split('\n')
    .flatMap((line) => /^\[-\](\S+)/.exec(line)?.[1] ?? []);
  const ready =
    status === 200
      ? ok('health', `${connection.server} is ready`)
      : problem(
          'health',
          `${connection.server} is not ready (${status}): ${failing.join(', ') || 'it does not say why'}`,
          HEALTH,
        );
  return [ready, ...clockFindings(String(headers?.date ?? ''), before, runtime.now())];
}

const HEALTH = 'wait until a start is over; otherwise see the log of the server for the checks that fail';

/** Headers have whole seconds: the moment lies between the one they name and the next. */
function clockFindings(date: string, before: number, after: number): Finding[] {
  const theirs = Date.parse(date);
  if (Number.isNaN(theirs)) return [];
  const skew = theirs > after ? theirs - after : Math.max(0, before - (theirs + 1_000));
  if (skew <= TOLERATED_SKEW_MS) return [ok('clock', 'the server has the time of this machine')];
  const seconds = Math.round(skew / 1_000);
  const what = `the clocks of the server and of this machine are ${seconds} s apart`;
  return [problem('clock', what, 'set both by the network: tokens, certificates and leases end by them')];
}

const REPLACE = 'replace it where the server or the client configuration has it from';

/** What the server shows of itself, and what the client configuration shows to it. */
async function shownCertificates(connection: Connection, runtime: Runtime): Promise<Finding[]> {
  const { clientCertificate } = connection;
  const own = clientCertificate === undefined ? [] : readCertificates(clientCertificate, 'the client certificate');
  const served = await servedCertificate(connection);
  return [
    ...certificateFindings('the client certificate', own.slice(0, 1), runtime.now(), REPLACE),
    ...certificateFindings(`the certificate of ${connection.server}`, served, runtime.now(), REPLACE),
  ];
}

/** Looked at even when it does not hold any more, which is when somebody asks. Nothing is sent. */
function servedCertificate({ server, proxyUrl, tlsServerName }: Connection) {
  const { hostname, port, protocol } = new URL(server);
  if (protocol !== 'https:' || proxyUrl !== undefined) return Promise.resolve([]);
  return new Promise<ReturnType<typeof readCertificates>>((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const servername = tlsServerName ?? (/^[\d.]+$|:/.test(host) ? undefined : host);
    const socket = connect({
      host,
      port: Number(port || 443),
      rejectUnauthorized: false,
      timeout: PATIENCE_MS,
      ...(servername !== undefined && { servername }),
    });
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      resolve(certificate ? [certificate] : []);
    });
    socket.once('timeout', () => socket.destroy(new Error(`${server} does not answer`)));
    socket.once('error', reject);
  });
}

interface APIService extends AnyObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

async function serviceFindings(client: PlaneClient, kinds: readonly ServedKind[]): Promise<Finding[]> {
  const kind = kinds.find(({ plural }) => plural === 'apiservices');
  if (!kind) return [];
  const { items } = await client.list<APIService>(kind, '', { limit: 500 });
  const away = items.flatMap(({ metadata, status }) => {
    const condition = status?.conditions?.find(({ type }) => type === 'Available');
    if (condition?.status !== 'False') return [];
    const why = `${condition.reason}: ${condition.message}`;
    const advice = 'start what answers for it, or delete the APIService; namespaces cannot be deleted meanwhile';
    return [problem('apiservices', `${metadata.name} is not available (${why})`, advice)];
  });
  return away.length > 0 ? away : [ok('apiservices', `all ${items.length} are available`)];
}

const CALLS = 'see whether the service behind this webhook runs and its certificate holds';
const CHANGES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'APPLY', 'DELETE']);

/** What counters of the server tell. Of several servers it is the one that answers. */
async function metricFindings(
  send: Send,
  client: PlaneClient,
  kinds: readonly ServedKind[],
  runtime: Runtime,
  sampleMs: number,
): Promise<Finding[]> {
  const read = async (): Promise<string> => {
    const { status, body } = await send({ method: 'GET', target: '/metrics', accept: 'text/plain' });
    if (status !== 200) throw new Error(`/metrics cannot be read (${status})`);
    return body.toString();
  };
  const [first, began] = [await read(), runtime.monotonic()];
  await sleep(runtime, sampleMs);
  const second = await read();
  const seconds = (runtime.monotonic() - began) / 1_000;
  const total = (metric: string): Sample[] => samplesOf(first, metric);
  const written = ({ verb = '', group = '', resource = '', subresource = '' }: Sample['labels']): string | undefined =>
    CHANGES.has(verb) && subresource === '' && resource !== ''
      ? [resource, group].filter(Boolean).join('.')
      : undefined;
  const writes = growth(total('apiserver_request_total'), samplesOf(second, 'apiserver_request_total'), written);
  return [
    ...webhookFindings(samplesOf(second, FAILED_OPEN), samplesOf(second, REJECTIONS)),
    ...(await hotWriterFindings(writes, seconds, kinds, client)),
  ];
}

const FAILED_OPEN = 'apiserver_admission_webhook_fail_open_count';
const REJECTIONS = 'apiserver_admission_webhook_rejection_count';

function webhookFindings(passedOver: readonly Sample[], refused: readonly Sample[]): Finding[] {
  const broken = refused.filter(({ labels }) => labels.error_type !== 'no_error');
  const findings = [
    ...broken.map(({ labels, value }) =>
      problem('webhooks', `${labels.name} could not be asked, and ${value} requests were refused for it`, CALLS),
    ),
    ...passedOver.map(({ labels, value }) =>
      warning('webhooks', `${labels.name} could not be asked ${value} times, and was passed over`, CALLS),
    ),
  ];
  return findings.length > 0 ? findings : [ok('webhooks', 'none has failed since the server started')];
}
