import type { ServiceAccount } from '../../kinds/core/config/service-account.ts';
import type { Container } from '../../kinds/core/pod/container.ts';
import { Pod } from '../../kinds/core/pod/pod.ts';
import type { Volume } from '../../kinds/core/volume/volume.ts';
import type { Objects } from '../../registry/objects.ts';
import { generateName } from '../../registry/stages/prepare.ts';
import { type Runtime, sleep } from '../../runtime/runtime.ts';
import { type Draft, draftOf } from '../../schema/draft.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { type MutatingCreate, onKind, onSubresource, type WriteRequest } from '../rule.ts';
import { mountableProblem } from './mountable-secrets.ts';

const ACCOUNTS = { group: '', plural: 'serviceaccounts' };
const DEFAULT_ACCOUNT = 'default';
/** An hour, and a little, by which those who renew it can tell that nobody chose it. */
const TOKEN_SECONDS = 3607;
const FILE_MODE = 0o644;
/** How long to wait for the account of a namespace that is new: a second in all. */
const WAIT_MS = 20;
const MOST_TRIES = 50;

/** Gives every pod an account of its namespace, and what it takes to act under it: a token, the authority, the namespace. */
export class ServiceAccounts implements AdmissionPlugin {
  readonly rules = [
    onKind(Pod).mutate({ create: (request) => this.#giveAccount(request) }),
    // Nothing else that refers to secrets can change once the pod is there.
    onKind(Pod).validate({ create: (request) => this.#check(request) }),
    onSubresource(Pod, 'ephemeralcontainers').validate({ update: (request) => this.#check(request) }),
  ];
  readonly #objects: Objects;
  readonly #runtime: Runtime;
  readonly #vocabulary: Vocabulary;

  constructor(objects: Objects, runtime: Runtime, vocabulary: Vocabulary) {
    this.#objects = objects;
    this.#runtime = runtime;
    this.#vocabulary = vocabulary;
  }

  #giveAccount(request: MutatingCreate<Pod>): Promise<void> | void {
    const { spec } = request.object;
    // What a node runs by itself cannot be given anything.
    if (this.#isMirror(request.object)) {
      const problem = mirrorProblem(spec);
      if (problem) throw refusal(request, problem);
      return;
    }
    if (!spec.serviceAccountName) {
      spec.serviceAccountName = DEFAULT_ACCOUNT;
      spec.serviceAccount = DEFAULT_ACCOUNT;
    }
    if (spec.serviceAccountName === DEFAULT_ACCOUNT && !this.#find(request.namespace, DEFAULT_ACCOUNT)) {
      return this.#untilThere(request.namespace).then(() => this.#giveCredentials(request));
    }
    this.#giveCredentials(request);
  }

  /** The account is made soon after its namespace: who comes in between need not be turned away. */
  async #untilThere(namespace: string): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES && !this.#find(namespace, DEFAULT_ACCOUNT); tries++) {
      await sleep(this.#runtime, WAIT_MS);
    }
  }

  #giveCredentials(request: MutatingCreate<Pod>): void {
    const { spec } = request.object;
    const account = this.#accountOf(request);
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) this.#mountToken(spec);
    if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
      spec.imagePullSecrets = draftOf(account.imagePullSecrets);
    }
  }

  #check(request: WriteRequest<Pod>): void {
    if (this.#isMirror(request.object)) return;
    const problem = mountableProblem(this.#accountOf(request), request.object.spec, this.#vocabulary);
    if (problem) throw refusal(request, problem);
  }

  #isMirror({ metadata }: Pod): boolean {
    return Object.hasOwn(metadata.annotations ?? {}, this.#vocabulary.annotations.configMirror);
  }

  #accountOf(request: WriteRequest<Pod>): ServiceAccount {
    const { namespace, object } = request;
    const name = object.spec.serviceAccountName ?? DEFAULT_ACCOUNT;
    const account = this.#find(namespace, name);
    if (account) return account;
    throw refusal(request, `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`);
  }

  #find(namespace: string, name: string): ServiceAccount | undefined {
    return this.#objects.get<ServiceAccount>(ACCOUNTS, namespace, name);
  }

  /** Containers that already have something at the place keep it. */
  #mountToken(spec: Draft<Pod['spec']>): void {
    const mountPath = this.#vocabulary.paths.serviceAccountMount;
    const prefix = this.#vocabulary.wellKnown.apiAccessVolumePrefix;
    const existing = spec.volumes?.find(({ name }) => name.startsWith(prefix));
    const name = existing?.name ?? generateName(prefix, this.#runtime);
    let mounted = false;
    for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
      mounted = mountInto(container, name, mountPath) || mounted;
    }
    if (mounted && !existing) spec.volumes = [...(spec.volumes ?? []), this.#tokenVolume(name)];
  }

  #tokenVolume(name: string): Draft<Volume> {
    // In three parts: the engine does not compile a literal as deep as this, but walks over it each time.
    const authority = { name: this.#vocabulary.wellKnown.rootCaConfigMap, items: [{ key: 'ca.crt', path: 'ca.crt' }] };
    const namespace = { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
    const sources = [
      { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
      { configMap: authority },
      { downwardAPI: { items: [namespace] } },
    ];
    return { name, projected: { sources, defaultMode: FILE_MODE } };
  }
}

function mountInto(container: Draft<Pick<Container, 'volumeMounts'>>, name: string, mountPath: string): boolean {
  if (container.volumeMounts?.some((mount) => mount.mountPath === mountPath)) return false;
  container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
  return true;
}

/** A mirror shows what a node runs by itself: nothing in it may refer to the plane. */
function mirrorProblem(spec: Pod['spec']): string | undefined {
  if (spec.serviceAccountName) return 'a mirror pod may not reference service accounts';
  const refersToSecret = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].some(
    ({ env = [], envFrom = [] }) =>
      env?.some(({ valueFrom }) => valueFrom?.secretKeyRef) || envFrom?.some(({ secretRef }) => secretRef),
  );
  const tokens = spec.volumes?.some(({ projected }) => projected?.sources?.some((one) => one.serviceAccountToken));
  if (refersToSecret || spec.volumes?.some(({ secret }) => secret)) return 'a mirror pod may not reference secrets';
  return tokens ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}
