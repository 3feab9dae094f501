import { noSuchResource } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { Negotiator } from '../codec/negotiation.ts';
import type { Features } from '../features/features.ts';
import type { Reply } from '../http/message.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { RequestContext } from '../request/context.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Action } from './actions/action.ts';
import type { VirtualResource } from './actions/virtual-resource.ts';
import type { Connector } from './connect/connector.ts';
import type { RemoteVersions } from './connect/remote-proxy.ts';
import type { OpenWatches } from './watch/open-watches.ts';

/** What handlers need of the server. */
export interface Service {
  readonly catalogue: Catalogue;
  /** For whoever reads, */
  readonly objects: Objects;
  /** and for whoever writes. */
  readonly registry: Registry;
  readonly negotiator: Negotiator;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly features: Features;
  /** What is done rather than stored, by `actionKey`. */
  readonly actions: ReadonlyMap<string, Action>;
  /** What leads out of the server, by `connectorKey`. */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** The API groups that those who connect can ask for; undefined: all. */
  readonly servedGroups?: ReadonlySet<string> | undefined;
  /** Versions of API groups that other servers answer for. */
  readonly remotes: RemoteVersions;
  /** What is made when asked for, by `virtualKey`. */
  readonly virtual: ReadonlyMap<string, VirtualResource>;
  /** Answers a write that asks how admission sees it. */
  readonly explainAdmission?: ExplainWrite | undefined;
  /** Throws the 403 of someone who may do what the request says, but not create what it names. */
  demandCreation(context: RequestContext, user: UserInfo): Promise<void>;
  /** Told of every use of a version that is on its way out. */
  onDeprecated(type: ResourceType, subresource: string): void;
  /** Ends watches of what is no longer served. */
  readonly watches: OpenWatches;
  /** Counts what watchers of a type are sent. */
  watchMeter(type: ResourceType): { sent(events: number, bytes: number): void };
  /** Counts the lists of a type. */
  listMeter(type: ResourceType): { read(looked: number, returned: number): void };
  readonly limits: { readonly bodyBytes: number; readonly leastWatchSeconds: number };
}

/** Answers a request in place of `handle`, which it may ask for what the answer would have been. */
export type ExplainWrite = (
  service: Service,
  resource: ResourceContext,
  handle: (service: Service, resource: ResourceContext) => Promise<Reply>,
) => Promise<Reply>;

/** A request whose resource was found in the catalogue and whose user is known. */
export interface ResourceContext {
  readonly context: RequestContext;
  readonly type: ResourceType;
  readonly user: UserInfo;
}

/** A request that passed authentication has a user. */
export function userOf({ user }: RequestContext): UserInfo {
  if (!user) throw noSuchResource();
  return user;
}
