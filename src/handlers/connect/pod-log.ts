import type { IncomingMessage } from 'node:http';
import { ApiError, badRequest, internalBecause, invalid, type Reason } from '../../api/errors.ts';
import type { HttpRequest, Reply } from '../../http/message.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { validatePodLogOptions } from '../../kinds/core/pod/pod-log-validation.ts';
import { PodLogOptions } from '../../kinds/core/pod/pod-options.ts';
import { type Destination, type Dialer, urlOf } from '../../outbound/dialer.ts';
import { Problems } from '../../schema/problems.ts';
import { chooseContainer } from './choose-container.ts';
import type { Connector } from './connector.ts';
import { type NodeAccess, placeOfNode } from './node-place.ts';
import { UNVERIFIED } from './proxy.ts';
import { Relay } from './relay.ts';
import { storedObject } from './stored-object.ts';

/** What a container has written, as its node tells it. A pod without a node has written nothing. */
export const podLog = (dialer: Dialer, access: NodeAccess): Connector<PodLogOptions> => ({
  group: '',
  plural: 'pods',
  subresource: 'log',
  options: { version: 'v1', kind: 'PodLogOptions', schema: PodLogOptions },
  admission: false,
  async connect(call) {
    const { request, options } = call;
    const { namespace, name } = call.info;
    const problems = new Problems();
    validatePodLogOptions(options, problems);
    if (problems.found.length > 0) throw invalid('', 'PodLogOptions', name, problems.found);
    const pod = await storedObject<Pod>(call, 'pods', namespace, name);
    const container = chooseContainer(pod, options.container ?? '');
    const { nodeName = '' } = pod.spec;
    if (nodeName === '') return { status: 204, headers: [], body: [] };
    const place = await placeOfNode(call, access, nodeName);
    const target = `/containerLogs/${namespace}/${name}/${container}${queryOf(options)}`;
    const trust = options.insecureSkipTLSVerifyBackend ? { ...access.trust, ...UNVERIFIED } : access.trust;
    return readLog(dialer, request, { ...place, scheme: 'https', target }, { ...access, trust }, name);
  },
});

/** What the node is asked for, in its own words. */
function queryOf(options: PodLogOptions): string {
  const { follow, previous, timestamps, sinceSeconds, sinceTime, tailLines, limitBytes } = options;
  const wanted = { follow, previous, timestamps, sinceSeconds, sinceTime, tailLines, limitBytes };
  const given = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null || value === false ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

async function readLog(
  dialer: Dialer,
  request: HttpRequest,
  destination: Destination,
  { trust, connectTimeoutMs }: NodeAccess,
  pod: string,
): Promise<Reply> {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = dialer.open(destination, { method: 'GET', headers: [], trust, guarded: false, connectTimeoutMs });
    const refuse = ({ message }: Error): void =>
      reject(new ApiError('', `Get ${JSON.stringify(urlOf(destination))}: ${message}`));
    outgoing.on('error', refuse).once('response', resolve).end();
    request.onceGone(() => outgoing.destroy());
  });
  const { statusCode = 0 } = incoming;
  if (statusCode < 200 || statusCode > 206) throw refusalOf(statusCode, await beginningOf(incoming), pod);
  return {
    status: 200,
    headers: ['Content-Type', 'text/plain', 'Cache-Control', 'no-cache, private'],
    body: new Relay(incoming, incoming.headers['content-length'] !== undefined),
  };
}

/** So much of what a node says instead of a log is told. */
const MOST_BYTES = 50_000;

async function beginningOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const part of incoming.setEncoding('utf8')) {
      text += part;
      if (text.length > MOST_BYTES) break;
    }
  } catch {
    // What there is of it is told, even if the node breaks off.
  }
  return text.slice(0, MOST_BYTES).trim();
}

const REASONS: Readonly<Record<number, Reason>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** What a node refuses is told with its own words, where it has any. */
function refusalOf(status: number, text: string, pod: string): ApiError {
  if (status === 500) return internalBecause(text);
  if (status === 400) return badRequest(text);
  const details = { name: pod, kind: 'pods/log' };
  if (status === 404) {
    return new ApiError('NotFound', `the server could not find the requested resource ( pods/log ${pod})`, details);
  }
  const reason = REASONS[status] ?? 'InternalError';
  const what = text === '' ? '' : `: ${text}`;
  return new ApiError(
    reason,
    `the node answered ${status} ( pods/log ${pod})${what}`,
    details,
    status < 400 ? 500 : status,
  );
}
