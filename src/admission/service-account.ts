import type { ServiceAccount as ServiceAccountObject } from '../kinds/core/config/service-account.ts';
import type { Container } from '../kinds/core/pod/container.ts';
import type { Pod } from '../kinds/core/pod/pod.ts';
import type { Volume } from '../kinds/core/volume/volume.ts';
import type { AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { generateName } from '../registry/stages/prepare.ts';
import { type Runtime, sleep } from '../runtime/runtime.ts';
import { type Draft, draftOf } from '../schema/draft.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { mountableProblem } from './mountable-secrets.ts';
import { refusal } from './refusal.ts';

const ACCOUNTS = { group: '', plural: 'serviceaccounts' };
const DEFAULT_ACCOUNT = 'default';
/** An hour, and a little, by which those who renew it can tell that nobody chose it. */
const TOKEN_SECONDS = 3607;
const FILE_MODE = 0o644;
/** How long to wait for the account of a namespace that is new: a second in all. */
const WAIT_MS = 20;
const MOST_TRIES = 50;

export interface ServiceAccountParts {
  readonly objects: Objects;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
}

/** Gives every pod an account of its namespace, and what it takes to act under it: a token, the authority, the namespace. */
export class ServiceAccount implements AdmissionPlugin {
  readonly name = 'ServiceAccount';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly parts: ServiceAccountParts;

  constructor(parts: ServiceAccountParts) {
    this.parts = parts;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && (subresource === '' || subresource === 'ephemeralcontainers');
  }

  mutate(request: MutatingRequest): Promise<void> | void {
    if (request.operation !== 'CREATE') return;
    const { metadata, spec } = request.object as Draft<Pod>;
    // What a node runs by itself cannot be given anything.
    if (this.isMirror(metadata.annotations)) {
      const problem = mirrorProblem(spec);
      if (problem) throw refusal(request, problem);
      return;
    }
    if (!spec.serviceAccountName) {
      spec.serviceAccountName = DEFAULT_ACCOUNT;
      spec.serviceAccount = DEFAULT_ACCOUNT;
    }
    if (spec.serviceAccountName === DEFAULT_ACCOUNT && !this.find(request.namespace, DEFAULT_ACCOUNT)) {
      return this.untilThere(request.namespace).then(() => this.equip(request, spec));
    }
    this.equip(request, spec);
  }

  /** The account is made soon after its namespace: who comes in between need not be turned away. */
  private async untilThere(namespace: string): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES && !this.find(namespace, DEFAULT_ACCOUNT); tries++) {
      await sleep(this.parts.runtime, WAIT_MS);
    }
  }

  private equip(request: AdmissionRequest, spec: Draft<Pod['spec']>): void {
    const account = this.accountOf(request, spec.serviceAccountName ?? DEFAULT_ACCOUNT);
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) this.mountToken(spec);
    if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
      spec.imagePullSecrets = draftOf(account.imagePullSecrets);
    }
  }

  validate(request: AdmissionRequest): void {
    const { metadata, spec } = request.object as Pod;
    if (this.isMirror(metadata.annotations)) return;
    if (request.operation === 'UPDATE' && request.subresource === '') return;
    const account = this.accountOf(request, spec.serviceAccountName ?? DEFAULT_ACCOUNT);
    const problem = mountableProblem(account, spec, this.parts.vocabulary);
    if (problem) throw refusal(request, problem);
  }

  private isMirror(annotations: Readonly<Record<string, string>> | undefined): boolean {
    return Object.hasOwn(annotations ?? {}, this.parts.vocabulary.annotations.configMirror);
  }

  private accountOf(request: AdmissionRequest, name: string): ServiceAccountObject {
    const { namespace } = request;
    const account = this.find(namespace, name);
    if (account) return account;
    throw refusal(request, `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`);
  }

  private find(namespace: string, name: string): ServiceAccountObject | undefined {
    return this.parts.objects.get<ServiceAccountObject>(ACCOUNTS, namespace, name);
  }

  /** Containers that already have something at the place keep it. */
  private mountToken(spec: Draft<Pod['spec']>): void {
    const { runtime, vocabulary } = this.parts;
    const mountPath = vocabulary.paths.serviceAccountMount;
    const prefix = vocabulary.wellKnown.apiAccessVolumePrefix;
    const existing = spec.volumes?.find(({ name }) => name.startsWith(prefix));
    const name = existing?.name ?? generateName(prefix, runtime);
    let mounted = false;
    for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
      mounted = mountInto(container, name, mountPath) || mounted;
    }
    if (mounted && !existing) spec.volumes = [...(spec.volumes ?? []), this.tokenVolume(name)];
  }

  private tokenVolume(name: string): Draft<Volume> {
    const authority = this.parts.vocabulary.wellKnown.rootCaConfigMap;
    return {
      name,
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
          { configMap: { name: authority, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ],
        defaultMode: FILE_MODE,
      },
    };
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
