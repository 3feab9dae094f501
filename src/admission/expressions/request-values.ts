import { serviceAccountGroups, serviceAccountUser, type UserInfo, userNamed } from '../../api/user.ts';
import {
  type AccessQuestion,
  authorizerValue,
  type DecideAccess as DecideQuestion,
  resourceCheckValue,
} from '../../cel/functions/authorizer.ts';
import type { PolicyValues } from '../../cel/policy/names.ts';
import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Objects } from '../../registry/objects.ts';
import type { ApiObject, HookContext, ResourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AccessDecision, DecideAccess } from '../access-check.ts';
import { isNamespace } from '../matching/matcher.ts';
import { describe } from '../matching/request-description.ts';
import { show } from '../matching/shown-request.ts';
import { Lookup } from './lookup.ts';

export interface ValueSources extends HookContext {
  readonly objects: Objects;
  readonly decideAccess: DecideAccess;
  readonly vocabulary: Vocabulary;
}

const NAMESPACES = { group: '', plural: 'namespaces' };

/** What expressions see of one request. What takes time to make is made once for each version that policies look at it in. */
export class RequestValues {
  /** Params that had to be converted. */
  readonly convertedParams = new Lookup<ApiObject>();
  readonly #request: AdmissionRequest;
  readonly #sources: ValueSources;
  readonly #decisions = new Lookup<AccessDecision>();
  readonly #byType = new Map<ResourceType, PolicyValues>();

  constructor(request: AdmissionRequest, sources: ValueSources) {
    this.#request = request;
    this.#sources = sources;
  }

  /** The objects in the version `as`, with `params`. */
  in(as: ResourceType, params: ApiObject | null): PolicyValues {
    const values = this.#byType.get(as) ?? this.#make(as);
    this.#byType.set(as, values);
    // What the values have in common is made once, by whoever reads it first.
    return params === null ? values : Object.create(values, { params: { value: params } });
  }

  #make(as: ResourceType): PolicyValues {
    const request = this.#request;
    const { object = null, oldObject = null, kind } = show(request, as, this.#sources);
    const { subresource, namespace, name } = request;
    const decide: DecideQuestion = (question) => this.#decide(question);
    const about = { group: as.group, resource: as.plural, subresource, namespace, name };
    const described = once(() => describe(request, as, kind, this.#sources.vocabulary));
    const namespaceObject = once(() => this.#namespace());
    return {
      object,
      oldObject,
      params: null,
      get request() {
        return described();
      },
      get namespaceObject() {
        return namespaceObject();
      },
      get authorizer() {
        return authorizerValue(decide);
      },
      get 'authorizer.requestResource'() {
        return resourceCheckValue(decide, about);
      },
    };
  }

  #namespace(): object | null {
    const { type, namespace } = this.#request;
    if (namespace === '' || isNamespace(type)) return null;
    const found = this.#sources.objects.get<Namespace>(NAMESPACES, '', namespace);
    if (!found) return null;
    const { metadata, spec, status } = found;
    return { metadata: { ...metadata, UID: metadata.uid }, spec, status };
  }

  #decide(question: AccessQuestion): AccessDecision {
    return this.#decisions.get(JSON.stringify(question), () => {
      const { serviceAccount, path, ...access } = question;
      const user = serviceAccount ? accountNamed(serviceAccount) : this.#request.user;
      return this.#sources.decideAccess(user, path === undefined ? access : { verb: access.verb, path });
    });
  }
}

const accountNamed = ({ namespace, name }: { readonly namespace: string; readonly name: string }): UserInfo =>
  userNamed(serviceAccountUser(namespace, name), serviceAccountGroups(namespace));

/** Makes a value when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
