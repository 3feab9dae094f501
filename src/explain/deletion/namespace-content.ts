import type { APIService } from '../../kinds/apiregistration/api-service.ts';
import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import type { Kind } from '../../registry/kind.ts';
import { mentions } from '../../storage/log/dormant-version.ts';
import { located, resourceText, type Search } from './blockers.ts';

const BATCH = 64;
/** Finalizers of one kind that are told; there may be one for each object. */
const MOST_FINALIZERS = 20;

/** What a namespace still holds, what is said of its deletion, and servers that cannot be asked what they hold. */
export async function findInNamespace(search: Search): Promise<void> {
  for (const kind of search.call.catalogue.kinds()) {
    if (kind.collection !== undefined && kind.storage.namespaced) await findContent(search, kind);
  }
  findConditions(search);
  await findSilentServers(search);
}

async function findContent(search: Search, kind: Kind): Promise<void> {
  const { call, asked, object, found, rest } = search;
  const place = { type: kind.storage, namespace: asked.name, name: '' };
  const count = call.objects.count(kind.storage, asked.name);
  if (count === 0) return;
  if (!(await search.mayList(place))) {
    search.notSearched.add(resourceText(kind));
    return;
  }
  const finalizers = new Set<string>();
  const view = call.objects.view(kind.storage, asked.name);
  while (!view.done) {
    for (const version of view.next(BATCH)) {
      if (!mentions(version, '"finalizers"')) continue;
      for (const one of call.objects.once(version).metadata.finalizers ?? []) finalizers.add(one);
    }
    call.options.deadline?.check();
    await rest();
  }
  const isGoing = Boolean(object.metadata.deletionTimestamp);
  found.add({
    type: 'Content',
    name: resourceText(kind),
    message: contentMessage(kind, isGoing, finalizers.size > 0),
    object: located(place),
    count,
    finalizers: [...finalizers].slice(0, MOST_FINALIZERS),
    certain: isGoing,
  });
}

function contentMessage({ served }: Kind, isGoing: boolean, isHeld: boolean): string {
  if (served.length === 0) return 'is of a kind that is not served; the server removes it by itself';
  const held = isHeld ? '; it waits for its finalizers' : '';
  return isGoing ? `is still there${held}` : `would be deleted first${held}`;
}

function findConditions({ object, found }: Search): void {
  // What was asked for is a namespace.
  const { status } = object as Namespace;
  for (const { type, status: value, message = '' } of status.conditions ?? []) {
    if (value === 'True') found.add({ type: 'Condition', name: type, message, certain: true });
  }
}

/** A namespace does not go while somebody who may hold something of it cannot be asked. */
async function findSilentServers(search: Search): Promise<void> {
  const { call, found, object } = search;
  const type = call.catalogue.preferred(call.context.vocabulary.groups.apiregistration, 'apiservices');
  if (!type) return;
  if (!(await search.mayList({ type, namespace: '', name: '' }))) {
    search.notSearched.add(resourceText(type));
    return;
  }
  for (const { metadata, spec, status } of call.objects.list<APIService>(type)) {
    const available = status?.conditions?.find((condition) => condition.type === 'Available');
    if (!spec?.service) continue;
    const name = metadata.name ?? '';
    if (available?.status === 'True') search.notSearched.add(`everything of ${name}, which another server holds`);
    else {
      found.add({
        type: 'APIService',
        name,
        message: `cannot be asked what it holds: ${available?.message ?? 'nothing is known of it'}`,
        object: located({ type, namespace: '', name }),
        certain: Boolean(object.metadata.deletionTimestamp),
      });
    }
  }
}
