import type { ParamKind } from '../../kinds/admissionregistration/policy/expressions.ts';
import type { ParamRef } from '../../kinds/admissionregistration/policy/param-ref.ts';
import { selects } from '../../meta/label-selector-validation.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import { fromHub } from '../../registry/versions.ts';
import type { Steps } from '../../runtime/pacing.ts';
import type { Version } from '../../storage/log/version.ts';
import type { Lookup } from '../expressions/lookup.ts';
import { MisconfiguredError } from '../expressions/misconfigured.ts';

/** As many objects as one binding may select for a request. */
const MOST_PARAMS = 10_000;
/** So many are looked at before others have their turn. */
const OBJECTS_A_STEP = 200;

/** What a policy is evaluated with where it has no params. */
export const NO_PARAMS: readonly (ApiObject | null)[] = [null];

/** Where params are kept that had to be converted. */
interface ParamValues {
  readonly convertedParams: Lookup<ApiObject>;
}

/** Finds the objects that parameterize policies. */
export class Params {
  readonly #objects: Objects;
  readonly #catalogue: Catalogue;

  constructor(objects: Objects, catalogue: Catalogue) {
    this.#objects = objects;
    this.#catalogue = catalogue;
  }

  /** The policy is evaluated with each. None at all: the request passes. Throws a MisconfiguredError. */
  *find(
    kind: ParamKind | undefined,
    ref: ParamRef | undefined,
    request: AdmissionRequest,
    values: ParamValues,
  ): Steps<readonly (ApiObject | null)[]> {
    if (!kind || !ref) return NO_PARAMS;
    const type = this.#typeOf(kind);
    const namespace = namespaceOf(type, ref, request);
    const versions = ref.name ? this.#named(type, namespace, ref.name) : yield* this.#selected(type, namespace, ref);
    if (versions.length === 0 && ref.parameterNotFoundAction !== 'Allow') {
      throw new MisconfiguredError(
        'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
      );
    }
    return versions.map((version) => this.#read(version, type, values));
  }

  #typeOf({ apiVersion = '', kind = '' }: ParamKind): ResourceType {
    const [type] = this.#catalogue.named(apiVersion, kind);
    if (type) return type;
    const named = JSON.stringify(`${apiVersion}, Kind=${kind}`);
    throw new MisconfiguredError(
      `failed to configure policy: failed to find resource referenced by paramKind: ${named}`,
    );
  }

  #named(type: ResourceType, namespace: string, name: string): readonly Version[] {
    const version = this.#objects.find(type, namespace, name);
    return version ? [version] : [];
  }

  *#selected(type: ResourceType, namespace: string, { selector }: ParamRef): Steps<readonly Version[]> {
    const found: Version[] = [];
    for (const [at, version] of this.#objects.versions(type, namespace).entries()) {
      if (at % OBJECTS_A_STEP === OBJECTS_A_STEP - 1) yield;
      if (!selects(selector, this.#objects.of(version).metadata.labels)) continue;
      if (found.length === MOST_PARAMS) {
        throw new MisconfiguredError(`failed to configure binding: more than ${MOST_PARAMS} params are selected`);
      }
      found.push(version);
    }
    return found;
  }

  /** In the version that the policy names. */
  #read(version: Version, type: ResourceType, { convertedParams }: ParamValues): ApiObject {
    const object = this.#objects.of(version);
    const kind = this.#catalogue.kindOf(type);
    if (!kind?.converts) return fromHub(type, object);
    const stored = kind.in(object.apiVersion ?? '') ?? kind.storage;
    if (stored === type) return object;
    return convertedParams.get(`${version.key} ${version.revision}`, () => kind.convert(object, stored, type));
  }
}

function namespaceOf(type: ResourceType, { namespace = '' }: ParamRef, request: AdmissionRequest): string {
  if (!type.namespaced) {
    if (namespace === '') return '';
    throw new MisconfiguredError(
      'failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    );
  }
  const own = namespace || request.namespace;
  if (own !== '') return own;
  throw new MisconfiguredError(
    'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}
