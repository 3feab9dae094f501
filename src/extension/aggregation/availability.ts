import type { APIServiceCondition } from '../../kinds/apiregistration/api-service.ts';
import type { Endpoints } from '../../kinds/core/service/endpoints.ts';
import type { Service } from '../../kinds/core/service/service.ts';
import type { BackendAccess } from './backend-access.ts';
import type { BackendClient } from './backend-client.ts';
import type { RemoteVersion } from './remote-version.ts';

/** Whether a version can be asked for, and why. */
export type Availability = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

/** What is stored of the service behind a version. */
export interface StoredService {
  readonly service: Service | undefined;
  readonly endpoints: Endpoints | undefined;
  /** Whether some slice says that the port has a ready address. */
  hasReadySlice(portName: string): boolean;
}

export const LOCAL: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

const PASSED: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' };

const missing = (reason: string, message: string): Availability => ({ status: 'False', reason, message });

/** What the stored objects say against the service; undefined: nothing. */
export function problemOfService(
  { service: { namespace, name, port } }: RemoteVersion,
  { service, endpoints, hasReadySlice }: StoredService,
): Availability | undefined {
  const named = `service/${name} in ${JSON.stringify(namespace)}`;
  if (!service) return missing('ServiceNotFound', `${named} is not present`);
  // Only of a service inside the cluster is it known what is behind it.
  if ((service.spec.type ?? 'ClusterIP') !== 'ClusterIP') return undefined;
  const found = service.spec.ports?.find((one) => one.port === port);
  if (!found) return missing('ServicePortError', `${named} is not listening on port ${port}`);
  const portName = found.name ?? '';
  if (hasReadySlice(portName)) return undefined;
  if (!endpoints) return missing('EndpointsNotFound', `cannot find endpoints for ${named}`);
  const isReady = (endpoints.subsets ?? []).some(
    ({ addresses = [], ports = [] }) => addresses.length > 0 && ports.some((one) => (one.name ?? '') === portName),
  );
  if (isReady) return undefined;
  const wanted = JSON.stringify(portName);
  return missing('MissingEndpoints', `endpoints for ${named} have no addresses with port name ${wanted}`);
}

const MORE_ATTEMPTS = 4;
const TIMEOUT_MS = 5_000;

export const versionPath = ({ group, version }: Pick<RemoteVersion, 'group' | 'version'>): string =>
  `/apis/${group}/${version}`;

/**
 * Asks the server behind a version for the document that every such server has. A service may lead to several servers:
 * where one does not answer it is asked some more times at once, and one good answer is enough.
 * Undefined: nothing was found out, since this server is being closed.
 */
export async function askBackend(client: BackendClient, remote: RemoteVersion): Promise<Availability | undefined> {
  const ask = async (): Promise<Availability> => {
    const status = await client.probe(remote, { target: versionPath(remote), timeoutMs: TIMEOUT_MS });
    if (status < 200 || status >= 300) throw new Error(`bad status from ${urlOf(remote)}: ${status}`);
    return PASSED;
  };
  try {
    return await ask().catch(() => Promise.any(Array.from({ length: MORE_ATTEMPTS }, ask)));
  } catch (error) {
    if (client.isClosed) return undefined;
    const [last] = error instanceof AggregateError ? error.errors.slice(-1) : [error];
    return missing('FailedDiscoveryCheck', `failing or missing response from ${urlOf(remote)}: ${reasonOf(last)}`);
  }
}

const LONGEST_REASON = 300;

/** The same for the same failure: what OpenSSL says begins with an address in memory and ends with a line of its source. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [, problem] = /SSL routines:[^:]*:([^:]*)/.exec(text) ?? [];
  return (problem ?? text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON);
}

const urlOf = (remote: RemoteVersion): string => `https://${remote.host}:${remote.service.port}${versionPath(remote)}`;

export interface AvailabilityParts {
  readonly access: BackendAccess;
  readonly client: BackendClient;
}

/** As `askBackend`, unless stored objects say already that it would be in vain. */
export async function availabilityOf(
  { access, client }: AvailabilityParts,
  remote: RemoteVersion,
  stored: StoredService,
): Promise<Availability | undefined> {
  const problem = access.knowsByName(remote) ? undefined : problemOfService(remote, stored);
  return problem ?? askBackend(client, remote);
}
