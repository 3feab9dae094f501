import { readFileSync } from 'node:fs';
import { type Connector, connectorTable } from '../handlers/connect/connector.ts';
import type { Secrets } from '../handlers/connect/forwarded-headers.ts';
import { Forwarder } from '../handlers/connect/forwarder.ts';
import type { NodeAccess } from '../handlers/connect/node-place.ts';
import { nodeProxy } from '../handlers/connect/node-proxy.ts';
import { podLog } from '../handlers/connect/pod-log.ts';
import { podProxy } from '../handlers/connect/pod-proxy.ts';
import { podStreams } from '../handlers/connect/pod-stream.ts';
import { serviceProxy } from '../handlers/connect/service-proxy.ts';
import { Dialer } from '../outbound/dialer.ts';
import type { ClusterNetwork } from '../outbound/network.ts';
import type { OutboundTrust } from '../outbound/outbound.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** Everything that leads out of the server to nodes, pods and services. Throws one line when settings do not fit. */
export function connectionsFor(
  settings: Settings,
  vocabulary: Vocabulary,
  runtime: Runtime,
  network: ClusterNetwork,
): ReadonlyMap<string, Connector> {
  const access: NodeAccess = {
    addressTypes: settings.kubeletPreferredAddressTypes,
    trust: nodeTrust(settings),
    connectTimeoutMs: settings.kubeletTimeout,
  };
  const dialer = new Dialer(runtime, network);
  const forwarder = new Forwarder(dialer, runtime, secretsOf(settings, vocabulary));
  return connectorTable([
    podLog(dialer, access),
    ...podStreams(forwarder, access),
    podProxy(forwarder, dialer),
    serviceProxy(forwarder, dialer, runtime),
    nodeProxy(forwarder, access),
  ]);
}

function nodeTrust(settings: Settings): OutboundTrust {
  const { kubeletCertificateAuthority, kubeletClientCertificate, kubeletClientKey } = settings;
  if ((kubeletClientCertificate === undefined) !== (kubeletClientKey === undefined)) {
    throw new Error('--kubelet-client-certificate and --kubelet-client-key must be given together');
  }
  return {
    ...(kubeletCertificateAuthority === undefined
      ? { insecureSkipTlsVerify: true }
      : { ca: readPem(kubeletCertificateAuthority) }),
    ...(kubeletClientCertificate === undefined ? {} : { clientCertificate: readPem(kubeletClientCertificate) }),
    ...(kubeletClientKey === undefined ? {} : { clientKey: readPem(kubeletClientKey) }),
  };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}`, { cause: error });
  }
}

/** What clients and authenticating proxies say of who asks. */
export function secretsOf(settings: Settings, { websocketProtocols }: Vocabulary): Secrets {
  const { requestheaderUsernameHeaders, requestheaderGroupHeaders, requestheaderExtraHeadersPrefix } = settings;
  const { requestheaderUidHeaders } = settings;
  const users = [...requestheaderUsernameHeaders, ...requestheaderUidHeaders];
  const names = ['Authorization', ...users, ...requestheaderGroupHeaders];
  return {
    names: new Set(names.map((name) => name.toLowerCase())),
    prefixes: ['impersonate-', ...requestheaderExtraHeadersPrefix.map((prefix) => prefix.toLowerCase())],
    tokenProtocol: websocketProtocols.bearerTokenPrefix,
  };
}
