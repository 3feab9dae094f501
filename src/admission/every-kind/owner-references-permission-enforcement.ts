import { Pod } from '../../kinds/core/pod/pod.ts';
import type { OwnerReference } from '../../meta/object-meta.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { AccessCheck } from '../access-check.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { isOf, onAny } from '../rule.ts';

/**
 * Owners decide when an object goes: only who may delete it may change them. An owner can be held up by what it owns:
 * only who may change its finalizers may say so.
 */
export class OwnerReferencesPermissionEnforcement implements AdmissionPlugin {
  // The status of a pod is written by its node, which cannot change owners that way.
  readonly rules = [
    onAny((type, subresource) => !(isOf(Pod, type) && subresource === 'status')).validate({
      write: (request) => this.#checkChanged(request),
    }),
  ];
  readonly #may: AccessCheck;
  readonly #catalogue: Catalogue;

  constructor(may: AccessCheck, catalogue: Catalogue) {
    this.#may = may;
    this.#catalogue = catalogue;
  }

  #checkChanged(request: AdmissionRequest): Promise<void> | void {
    const { object, oldObject } = request;
    if (!sameJson(ownersOf(object), ownersOf(oldObject))) return this.#check(request);
  }

  async #check(request: AdmissionRequest): Promise<void> {
    const { operation, type, subresource, namespace, name, user } = request;
    const access = { verb: 'delete', group: type.group, resource: type.plural, subresource, namespace, name };
    if (operation === 'UPDATE' && !(await this.#may(user, access))) {
      throw refusal(request, "cannot set an ownerRef on a resource you can't delete");
    }
    for (const owner of newlyBlocked(request)) await this.#checkBlocked(request, owner);
  }

  async #checkBlocked(request: AdmissionRequest, { apiVersion, kind, name }: OwnerReference): Promise<void> {
    const types = this.#catalogue.named(apiVersion, kind);
    if (types.length === 0) {
      throw refusal(
        request,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}`,
      );
    }
    for (const { group, plural, namespaced } of types) {
      const namespace = namespaced ? request.namespace : '';
      const access = { verb: 'update', group, resource: plural, subresource: 'finalizers', namespace, name };
      if (await this.#may(request.user, access)) continue;
      throw refusal(
        request,
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
      );
    }
  }
}

const ownersOf = (object: ApiObject | undefined): readonly OwnerReference[] => object?.metadata.ownerReferences ?? [];

/** Owners that what they own holds up from now on. */
function newlyBlocked({ object, oldObject }: AdmissionRequest): OwnerReference[] {
  const blocked = new Set(
    ownersOf(oldObject)
      .filter((owner) => owner.blockOwnerDeletion)
      .map(identity),
  );
  return ownersOf(object).filter((owner) => owner.blockOwnerDeletion && !blocked.has(identity(owner)));
}

const identity = ({ apiVersion, kind, name, uid }: OwnerReference): string =>
  JSON.stringify([apiVersion, kind, name, uid]);
