import type { APIService, APIServiceStatus } from '../../kinds/apiregistration/api-service.ts';
import type { ServicePort } from '../../kinds/core/service/service-places.ts';
import type { OutboundTrust } from '../../outbound/outbound.ts';

/** A version of an API group that another server answers for. It is a value: an APIService that changes makes another. */
export interface RemoteVersion {
  /** That of the APIService. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly service: ServicePort;
  /** Whom the certificate of the other server must name. */
  readonly host: string;
  /** How the other server is verified. */
  readonly trust: OutboundTrust;
  readonly isAvailable: boolean;
  /** The same for all versions whose requests go to the same service, verified in the same way. */
  readonly backend: string;
}

const HTTPS_PORT = 443;

/** Undefined: this server answers for the version itself. */
export function remoteVersionOf({ metadata, spec, status }: APIService): RemoteVersion | undefined {
  const { service, group = '', version = '', caBundle, insecureSkipTLSVerify = false } = spec;
  if (!service) return undefined;
  const { namespace = '', name = '', port = HTTPS_PORT } = service;
  return {
    name: metadata.name ?? '',
    group,
    version,
    service: { namespace, name, port },
    host: `${name}.${namespace}.svc`,
    trust: insecureSkipTLSVerify ? { insecureSkipTlsVerify: true } : authorityIn(caBundle),
    isAvailable: isAvailable(status),
    backend: JSON.stringify([namespace, name, port, caBundle, insecureSkipTLSVerify]),
  };
}

const authorityIn = (caBundle: string | undefined): OutboundTrust =>
  caBundle ? { ca: Buffer.from(caBundle, 'base64').toString('utf8') } : {};

const isAvailable = ({ conditions }: APIServiceStatus): boolean =>
  conditions?.some(({ type, status }) => type === 'Available' && status === 'True') === true;
