import type { AnyObject, PlaneClient } from '../../../client/plane-client.ts';
import { sleep } from '../../../runtime/runtime.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { namedResources } from '../resources/arguments.ts';
import type { ServedResource } from '../resources/served-resources.ts';
import { byInterest, POD_KIND, type Pod } from './pod.ts';

const POLL_MS = 500;

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** Something that stands for pods: a Deployment, a Job, a Service. */
interface Owner extends AnyObject {
  readonly spec?: { readonly selector?: LabelSelector | Readonly<Record<string, string>> };
}

/** The object that a line names as `NAME` or `TYPE/NAME`, where it is not a pod. */
export interface NamedObject {
  readonly resource: ServedResource;
  readonly object: AnyObject;
}

/** What `NAME` or `TYPE/NAME` names: a pod, or something that stands for pods. */
export async function findObject(word: string, session: Session): Promise<Pod | NamedObject> {
  const client = await session.client();
  const { name: namespace } = await session.namespace();
  if (!word.includes('/')) return client.get<Pod>({ kind: POD_KIND, namespace, name: word });
  const [{ resource, names = [] } = {}] = namedResources([word], await session.resources());
  const [name = ''] = names;
  if (!resource) throw new CommandError(`the server doesn't have a resource type "${word}"`);
  const object = await client.get<AnyObject>({ kind: resource, namespace, name });
  return resource.plural === 'pods' && resource.group === '' ? (object as Pod) : { resource, object };
}

export const isNamedObject = (found: Pod | NamedObject): found is NamedObject => 'resource' in found;

/** The pod that a line names, or the most interesting one of what it names, which is waited for. */
export async function findPod(word: string, session: Session, timeoutMs: number): Promise<Pod> {
  const found = await findObject(word, session);
  if (!isNamedObject(found)) return found;
  const [first] = await awaitPods(found, session, timeoutMs);
  return first;
}

/** As `podsOf`, as soon as there is one. */
export async function awaitPods(owner: NamedObject, session: Session, timeoutMs: number): Promise<[Pod, ...Pod[]]> {
  const { runtime, io } = session;
  const end = runtime.monotonic() + timeoutMs;
  for (;;) {
    const [first, ...more] = await podsOf(owner, session);
    if (first) return [first, ...more];
    if (runtime.monotonic() >= end || io.interrupted.aborted)
      throw new CommandError('timed out waiting for the condition');
    await sleep(runtime, POLL_MS);
  }
}

/** The pods of something, the most interesting ones first. */
export async function podsOf({ resource, object }: NamedObject, session: Session): Promise<Pod[]> {
  const { selector } = (object as Owner).spec ?? {};
  const text = selector === undefined ? '' : selectorText(selector);
  if (text === '') throw new CommandError(`${resource.kind} "${object.metadata.name}" selects no pods`);
  return selectedPods(await session.client(), object.metadata.namespace ?? '', text);
}

export async function selectedPods(client: PlaneClient, namespace: string, labelSelector: string): Promise<Pod[]> {
  const pods: Pod[] = [];
  let next = '';
  do {
    const page = await client.list<Pod>(POD_KIND, namespace, { labelSelector, limit: 500, next });
    pods.push(...page.items);
    next = page.next;
  } while (next !== '');
  return pods.sort(byInterest);
}

/** Told when one of several was taken. */
export async function tellChoice(pods: readonly Pod[], session: Session): Promise<void> {
  const [first] = pods;
  if (pods.length > 1) await write(session.io.stderr, `Found ${pods.length} pods, using pod/${first?.metadata.name}\n`);
}

const isLabelSelector = (selector: object): selector is LabelSelector =>
  Object.keys(selector).every((name) => name === 'matchLabels' || name === 'matchExpressions') &&
  Object.values(selector).every((value) => typeof value === 'object');

/** As lists are asked for it. Services have plain labels for a selector. */
function selectorText(selector: LabelSelector | Readonly<Record<string, string>>): string {
  const { matchLabels = {}, matchExpressions = [] } = isLabelSelector(selector) ? selector : { matchLabels: selector };
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  return [...labels, ...expressions].join(',');
}
