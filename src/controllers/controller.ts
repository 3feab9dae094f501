import { SERVICE_ACCOUNTS_GROUP, serviceAccountUser, type UserInfo, userNamed } from '../api/user.ts';
import type { Send } from '../client/plane-client.ts';
import type { Priorities } from '../extension/aggregation/api-services.ts';
import type { Availability } from '../extension/aggregation/availability.ts';
import type { RemoteVersion } from '../extension/aggregation/remote-version.ts';
import type { BuiltInNames } from '../extension/definitions/used-names.ts';
import type { WorkQueueMetrics } from '../observe/metrics/work-queue-metrics.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import type { Informer } from '../registry/informer.ts';
import type { Objects } from '../registry/objects.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { WriteOptions } from '../registry/write.ts';
import type { Deadline } from '../runtime/deadline.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { LoopMaterials } from './loop-materials.ts';
import type { RemoteKinds } from './stored-plane.ts';

/** What a control loop works with. Its writes go through the registry like anyone's, under its own identity. */
export interface ControllerParts extends LoopMaterials {
  readonly objects: Objects;
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly informer: Informer;
  readonly runtime: Runtime;
  readonly queues: WorkQueueMetrics;
  readonly vocabulary: Vocabulary;
  /** Until when a loop may write that runs on one of several servers at a time; renewed for as long as it may. */
  readonly term?: Deadline;
  /** What definitions of custom kinds cannot be called. */
  readonly builtInNames: BuiltInNames;
  /** The place in discovery of a version that the server has by itself; undefined: it has none such. */
  builtInPriorities(group: string, version: string): Priorities | undefined;
  /** What other servers serve behind this one. */
  readonly remoteKinds: RemoteKinds;
  /** Whether another server can be asked for a version. Resolves in bounded time; undefined: this one is being closed. */
  availabilityOf(remote: RemoteVersion): Promise<Availability | undefined>;
  /** How long events are kept after they were written; 0 for good. */
  readonly eventTtlMs: number;
  /** Whether machines join with tokens kept in secrets. */
  readonly bootstrapTokens: boolean;
  /** Whether objects go with their owners. */
  readonly collectsGarbage: boolean;
  /** Has requests answered that a loop makes, for as long as its term lasts. */
  sendAs(user: UserInfo, term: Deadline | undefined): Send;
  onError(controller: string, key: string, error: unknown): void;
}

/** A running control loop. */
export interface Controller {
  close(): Promise<void>;
}

export type StartController = (parts: ControllerParts) => Controller;

/** The same loop, begun some time after the server: for what nobody waits for, and start-up should not. */
export const delayed =
  (start: StartController, milliseconds: number): StartController =>
  (parts) => {
    let running: Controller | undefined;
    const timer = parts.runtime.after(milliseconds, () => {
      running = start(parts);
    });
    return {
      async close() {
        timer.cancel();
        await running?.close();
      },
    };
  };

/** How a control loop writes: as a service account of the system namespace, for as long as it may. */
export function identityOf({ vocabulary: { namespaces }, term }: ControllerParts, controller: string): WriteOptions {
  const groups = [SERVICE_ACCOUNTS_GROUP, `${SERVICE_ACCOUNTS_GROUP}:${namespaces.system}`];
  return {
    user: userNamed(serviceAccountUser(namespaces.system, controller), groups),
    background: true,
    deadline: term,
  };
}

/** A type the loop cannot work without. */
export function servedType({ catalogue }: ControllerParts, group: string, plural: string): ResourceType {
  const type = catalogue.preferred(group, plural);
  if (!type) throw new Error(`${plural} is not served`);
  return type;
}
