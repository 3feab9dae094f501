import { Agent } from 'node:https';
import { ApiServices, type Priorities } from '../extension/aggregation/api-services.ts';
import { type Availability, availabilityOf } from '../extension/aggregation/availability.ts';
import { aggregatorUser, BackendAccess } from '../extension/aggregation/backend-access.ts';
import { BackendClient } from '../extension/aggregation/backend-client.ts';
import { GroupDirectory } from '../extension/aggregation/group-directory.ts';
import { RemoteOpenapi } from '../extension/aggregation/remote-openapi.ts';
import { RemoteResources } from '../extension/aggregation/remote-resources.ts';
import type { RemoteVersion } from '../extension/aggregation/remote-version.ts';
import type { Secrets } from '../handlers/connect/forwarded-headers.ts';
import { Forwarder } from '../handlers/connect/forwarder.ts';
import { RemoteProxy, type RemoteVersions } from '../handlers/connect/remote-proxy.ts';
import { builtInPriorities } from '../kinds/built-in.ts';
import type { Endpoints } from '../kinds/core/service/endpoints.ts';
import type { Service } from '../kinds/core/service/service.ts';
import { ServicePlaces } from '../kinds/core/service/service-places.ts';
import { Dialer } from '../outbound/dialer.ts';
import { type IdentityHeaderNames, identityHeadersOf, REMOTE_HEADERS } from '../outbound/identity-headers.ts';
import type { Informer } from '../registry/informer.ts';
import type { Objects } from '../registry/objects.ts';
import { Closing } from '../runtime/closing.ts';
import type { Settings } from '../settings/settings.ts';
import { secretsOf } from './connections.ts';
import type { Plan } from './plan.ts';
import { CurrentProxyCertificate } from './proxy-certificate.ts';

/** Versions of API groups that other servers answer for, and where all versions stand in discovery. */
export interface Aggregation {
  readonly services: ApiServices;
  readonly directory: GroupDirectory;
  readonly remotes: RemoteVersions;
  /** What other servers serve. */
  readonly resources: RemoteResources;
  /** What they publish of their schemas. */
  readonly openapi: RemoteOpenapi;
  builtInPriorities(group: string, version: string): Priorities | undefined;
  availabilityOf(remote: RemoteVersion): Promise<Availability | undefined>;
  /** Ends what is asked of other servers on behalf of this one, and lets nobody begin. */
  stopAsking(): void;
  close(): Promise<void>;
}

/** Connections to each of the other servers that are kept for the next read, and for how long. */
const MOST_IDLE = 16;
const IDLE_MS = 60_000;

/** Follows the stored APIServices from now on. */
export function aggregationFor(plan: Plan, objects: Objects, informer: Informer): Aggregation {
  const { settings, vocabulary, runtime, catalogue, network, logger } = plan;
  const closing = new Closing();
  const services = new ApiServices(informer, vocabulary);
  closing.add(() => services.close());
  const certificate = new CurrentProxyCertificate(plan);
  closing.add(() => certificate.close());
  const places = new ServicePlaces(objects, runtime, vocabulary);
  const access = new BackendAccess({ network, places, certificate: () => certificate.current });
  const dialer = new Dialer(runtime, network);
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MOST_IDLE, timeout: IDLE_MS });
  closing.add(() => agent.destroy());
  const names = headerNames(settings);
  const client = new BackendClient(dialer, runtime, access, identityHeadersOf(aggregatorUser(vocabulary), names));
  const onError = (source: string, error: unknown): void =>
    logger.warn({ source, err: error }, 'what another server serves could not be found out');
  plan.metrics.recorder.collect('aggregator_unavailable_apiservice', () =>
    [...services.remotes()].map(({ name, isAvailable }) => ({ labels: [name], value: isAvailable ? 0 : 1 })),
  );
  const priorities = builtInPriorities(vocabulary);
  return {
    services,
    directory: new GroupDirectory({
      catalogue,
      services,
      builtIn: priorities,
      first: ['', vocabulary.groups.apiregistration],
      only: settings.servedGroups.length > 0 ? new Set(settings.servedGroups) : undefined,
    }),
    remotes: new RemoteProxy({
      find(info) {
        const remote = services.answering(info);
        return (
          remote && {
            isAvailable: remote.isAvailable,
            route: (target) => ({ ...access.route(remote, target), agent }),
          }
        );
      },
      forwarder: new Forwarder(dialer, runtime, withNames(secretsOf(settings, vocabulary), names)),
      identityHeaders: names,
      refusesRedirects: settings.aggregatorRejectForwardingRedirect,
    }),
    resources: new RemoteResources({ services, client, runtime, onError: ({ name }, error) => onError(name, error) }),
    openapi: new RemoteOpenapi({ services, client, runtime, onError }),
    builtInPriorities: priorities,
    availabilityOf: (remote) => availabilityOf({ access, client }, remote, storedService(objects, places, remote)),
    stopAsking: () => client.close(),
    close: () => closing.run(),
  };
}

/** What is stored of the service behind a version. */
const storedService = (objects: Objects, places: ServicePlaces, { service: { namespace, name } }: RemoteVersion) => ({
  service: objects.get<Service>({ group: '', plural: 'services' }, namespace, name),
  endpoints: objects.get<Endpoints>({ group: '', plural: 'endpoints' }, namespace, name),
  hasReadySlice: (portName: string) => places.ready(namespace, name, portName).length > 0,
});

/** The headers that this server itself believes from proxies are those by which it tells others. */
const headerNames = (settings: Settings): IdentityHeaderNames => ({
  ...REMOTE_HEADERS,
  user: settings.requestheaderUsernameHeaders[0] ?? REMOTE_HEADERS.user,
  uid: settings.requestheaderUidHeaders[0] ?? REMOTE_HEADERS.uid,
  group: settings.requestheaderGroupHeaders[0] ?? REMOTE_HEADERS.group,
  extraPrefix: settings.requestheaderExtraHeadersPrefix[0] ?? REMOTE_HEADERS.extraPrefix,
});

/** What clients say of themselves under the names that this server uses goes no further. */
function withNames(secrets: Secrets, names: IdentityHeaderNames): Secrets {
  const own = [names, REMOTE_HEADERS];
  return {
    ...secrets,
    names: new Set([
      ...secrets.names,
      ...own.flatMap(({ user, group, uid }) => [user, group, uid]).map((name) => name.toLowerCase()),
    ]),
    prefixes: [...secrets.prefixes, ...own.map(({ extraPrefix }) => extraPrefix.toLowerCase())],
  };
}
