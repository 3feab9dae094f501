import { ApiError, badRequest } from '../../api/errors.ts';
import type { Reply } from '../../http/message.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import { PodAttachOptions, PodExecOptions, PodPortForwardOptions } from '../../kinds/core/pod/pod-options.ts';
import { chooseContainer } from './choose-container.ts';
import type { ConnectCall, Connector } from './connector.ts';
import type { Forwarder } from './forwarder.ts';
import { type NodeAccess, placeOfNode } from './node-place.ts';
import { storedObject } from './stored-object.ts';

type Words = [name: string, value: string][];

const pods = { group: '', plural: 'pods' } as const;

/** Exec, attach and port forwarding: a conversation between the client and the node that the server only carries. */
export const podStreams = (forwarder: Forwarder, access: NodeAccess): readonly Connector[] => [
  podExec(forwarder, access),
  podAttach(forwarder, access),
  podPortForward(forwarder, access),
];

const podExec = (forwarder: Forwarder, access: NodeAccess): Connector<PodExecOptions> => ({
  ...pods,
  subresource: 'exec',
  options: { version: 'v1', kind: 'PodExecOptions', schema: PodExecOptions },
  async connect(call) {
    const { command, container = '' } = call.options;
    const words: Words = (command ?? []).map((word) => ['command', word]);
    const pod = await podOf(call);
    const path = `/exec/${pathOf(pod)}/${chooseContainer(pod, container)}`;
    return carry(forwarder, access, call, pod, path, [...streamsOf(call.options), ...words]);
  },
});

const podAttach = (forwarder: Forwarder, access: NodeAccess): Connector<PodAttachOptions> => ({
  ...pods,
  subresource: 'attach',
  options: { version: 'v1', kind: 'PodAttachOptions', schema: PodAttachOptions },
  async connect(call) {
    const pod = await podOf(call);
    const path = `/attach/${pathOf(pod)}/${chooseContainer(pod, call.options.container ?? '')}`;
    return carry(forwarder, access, call, pod, path, streamsOf(call.options));
  },
});

const podPortForward = (forwarder: Forwarder, access: NodeAccess): Connector<PodPortForwardOptions> => ({
  ...pods,
  subresource: 'portforward',
  options: { version: 'v1', kind: 'PodPortForwardOptions', schema: PodPortForwardOptions },
  async connect(call) {
    const pod = await podOf(call);
    const { ports = [] } = call.options;
    const words: Words = ports.length === 0 ? [] : [['port', ports.join(',')]];
    return carry(forwarder, access, call, pod, `/portForward/${pathOf(pod)}`, words);
  },
});

const podOf = (call: ConnectCall): Promise<Pod> => storedObject<Pod>(call, 'pods', call.info.namespace, call.info.name);

const pathOf = ({ metadata: { namespace, name } }: Pod): string => `${namespace}/${name}`;

/** What nodes call the streams of a container. */
function streamsOf({ stdin, stdout, stderr, tty }: PodAttachOptions): Words {
  const streams = { input: stdin, output: stdout, error: stderr, tty };
  return Object.entries(streams).flatMap(([name, wanted]): Words => (wanted ? [[name, '1']] : []));
}

async function carry(
  forwarder: Forwarder,
  access: NodeAccess,
  call: ConnectCall,
  { metadata, spec }: Pod,
  path: string,
  words: Words,
): Promise<Reply> {
  const { nodeName = '' } = spec;
  if (nodeName === '') throw badRequest(`pod ${metadata.name} does not have a host assigned`);
  const place = await placeOfNode(call, access, nodeName);
  if (!call.request.canUpgrade) throw badRequest('Upgrade request required');
  const target = words.length === 0 ? path : `${path}?${new URLSearchParams(words)}`;
  const { trust, connectTimeoutMs } = access;
  const destination = { ...place, scheme: 'https', target } as const;
  try {
    return await forwarder.forward(call.request, destination, { trust, connectTimeoutMs, guarded: false });
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof Error)) throw error;
    throw new ApiError('', `error dialing backend: ${error.message}`);
  }
}
