import { ApiError } from '../api/errors.ts';
import { NotYet, WorkQueue } from '../client/controlling/work-queue.ts';
import { type Availability, LOCAL } from '../extension/aggregation/availability.ts';
import { type RemoteVersion, remoteVersionOf } from '../extension/aggregation/remote-version.ts';
import type { APIService, APIServiceStatus } from '../kinds/apiregistration/api-service.ts';
import { formatTime } from '../schema/time.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';

const NAME = 'api-service-availability';
const PLURAL = 'apiservices';

/** How long what was found out is taken to be so. */
const CHECK_EVERY_MS = 30_000;
/** So many servers are asked at the same time. */
const WORKERS = 8;

/**
 * Finds out which APIServices can be asked for, and says so in their condition `Available`: when one changes, or its
 * service, or what is behind that, and every so often.
 */
export function startApiServiceAvailability(parts: ControllerParts): Controller {
  const followed = new Map<string, { readonly service: string; close(): void }>();
  const queue = new WorkQueue({
    runtime: parts.runtime,
    meter: parts.queues.of(NAME),
    workers: WORKERS,
    handle: (name) => check(parts, queue, name),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const unfollow = (name: string): void => {
    followed.get(name)?.close();
    followed.delete(name);
  };
  const subscription = parts.informer.follow(
    { group: parts.vocabulary.groups.apiregistration, plural: PLURAL },
    {
      onSet(apiService: APIService) {
        const { name = '' } = apiService.metadata;
        const remote = remoteVersionOf(apiService);
        const service = remote ? JSON.stringify(remote.service) : '';
        if (followed.get(name)?.service !== service) unfollow(name);
        if (remote && !followed.has(name)) {
          followed.set(name, { service, ...followService(parts, remote, () => queue.add(name)) });
        }
        queue.add(name);
      },
      onRemove: ({ metadata: { name = '' } }) => unfollow(name),
    },
  );
  return {
    close() {
      subscription.close();
      for (const name of [...followed.keys()]) unfollow(name);
      return queue.close();
    },
  };
}

/** Calls back when the service changes, or what is behind it. */
function followService(
  { informer, vocabulary: { groups } }: ControllerParts,
  { service: { namespace, name } }: RemoteVersion,
  onChange: () => void,
): { close(): void } {
  const listener = { onSet: onChange, onRemove: onChange };
  const subscriptions = [
    informer.follow({ group: '', plural: 'services', namespace, name }, listener),
    informer.follow({ group: '', plural: 'endpoints', namespace, name }, listener),
    informer.follow({ group: groups.discovery, plural: 'endpointslices', namespace, mentions: name }, listener),
  ];
  return {
    close() {
      for (const subscription of subscriptions) subscription.close();
    },
  };
}

async function check(parts: ControllerParts, queue: WorkQueue, name: string): Promise<void> {
  const type = servedType(parts, parts.vocabulary.groups.apiregistration, PLURAL);
  const apiService = parts.objects.get<APIService>(type, '', name);
  if (!apiService) return;
  const remote = remoteVersionOf(apiService);
  const found = remote ? await parts.availabilityOf(remote) : LOCAL;
  if (!found) return;
  await report(parts, name, apiService, found);
  if (!remote) return;
  if (found.status === 'True') queue.addAfter(name, CHECK_EVERY_MS);
  // It comes back by itself when it can be reached: soon at first, then less and less often.
  else if (found.reason === 'FailedDiscoveryCheck') throw new NotYet();
}

/** Nothing is written when the condition says so already. What was found out about an older version is worth nothing. */
async function report(
  parts: ControllerParts,
  name: string,
  { metadata, spec, status }: APIService,
  found: Availability,
): Promise<void> {
  if (statusWith(status, found, '') === status) return;
  const type = servedType(parts, parts.vocabulary.groups.apiregistration, PLURAL);
  const now = formatTime(parts.runtime.now());
  try {
    await parts.registry.update(
      { type, namespace: '', name, subresource: 'status' },
      (current) => {
        const apiService = current as APIService | undefined;
        if (!apiService || apiService.metadata.uid !== metadata.uid || !sameSpec(apiService.spec, spec))
          return apiService;
        return { ...apiService, status: statusWith(apiService.status, found, now) };
      },
      identityOf(parts, NAME),
    );
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
  }
}

const sameSpec = (one: APIService['spec'], other: APIService['spec']): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The very same where nothing changes. A condition keeps its time for as long as its status. */
function statusWith(status: APIServiceStatus, found: Availability, now: string): APIServiceStatus {
  const { conditions = [] } = status;
  const at = conditions.findIndex(({ type }) => type === 'Available');
  const before = conditions[at];
  if (before && before.status === found.status && before.reason === found.reason && before.message === found.message) {
    return status;
  }
  const lastTransitionTime = before?.status === found.status ? before.lastTransitionTime : now;
  const condition = { type: 'Available', ...found, lastTransitionTime };
  return { ...status, conditions: at < 0 ? [...conditions, condition] : conditions.with(at, condition) };
}
