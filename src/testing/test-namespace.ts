import { ApiError, type Client, Namespace, ServiceAccount } from '../client/index.ts';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';

/** A namespace of a test alone. `await using` deletes it at the end of the block; with its plane it goes anyway. */
export interface TestNamespace extends AsyncDisposable {
  readonly name: string;
  /** Deletes it, and resolves when it is gone with all that is in it. */
  delete(): Promise<void>;
}

/** How long a namespace has to go; then something in it waits for a finalizer that nobody removes. */
const DELETION_MS = 20_000;

export interface FreshNamespaceOptions {
  readonly client: Client;
  readonly name: string;
  /** Pods need the account that a control loop makes in every namespace; without the loop nobody waits for it. */
  readonly hasDefaultAccount: boolean;
}

/** Makes a namespace that pods can be created in at once. Undefined when there is one of that name. */
export async function makeNamespace(options: FreshNamespaceOptions): Promise<TestNamespace | undefined> {
  const { client, name, hasDefaultAccount } = options;
  try {
    await client.of(Namespace).create({ metadata: { name } });
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'AlreadyExists') return undefined;
    throw error;
  }
  if (hasDefaultAccount) await untilAccount(client, name);
  const remove = (): Promise<void> => deleteNamespace(client, name, systemRuntime);
  return { name, delete: remove, [Symbol.asyncDispose]: remove };
}

async function untilAccount(client: Client, namespace: string): Promise<void> {
  const accounts = client.of(ServiceAccount).inNamespace(namespace);
  for await (const { type } of accounts.watch({ fieldSelector: { 'metadata.name': 'default' } })) {
    if (type === 'ADDED') return;
  }
}

/** The bound is of real time: with a manual clock nobody would advance it while they wait for this. */
async function deleteNamespace(client: Client, name: string, runtime: Runtime): Promise<void> {
  const namespaces = client.of(Namespace);
  const live = await namespaces.find(name);
  if (!live) return;
  const late = new AbortController();
  const timer = runtime.after(DELETION_MS, () => late.abort());
  try {
    await namespaces.delete(name).catch(unlessGone);
    const { resourceVersion } = live.metadata;
    const fieldSelector = { 'metadata.name': name };
    for await (const { type } of namespaces.watch({ fieldSelector, resourceVersion, signal: late.signal })) {
      if (type === 'DELETED') return;
    }
  } finally {
    timer.cancel();
  }
  throw new Error(await whatIsLeft(client, name));
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
}

/** The plane says in the status of a namespace what keeps it. */
async function whatIsLeft(client: Client, name: string): Promise<string> {
  const kept = await client.of(Namespace).find(name);
  const reasons = (kept?.status?.conditions ?? []).filter(({ status }) => status === 'True');
  const told = reasons.map(({ message }) => message).join('; ');
  return `the namespace ${name} is not gone after ${DELETION_MS / 1000} s${told === '' ? '' : `: ${told}`}`;
}
