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
import type { TypeMeta } from '../../schema/schema.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AccessDecision, DecideAccess } from '../access-check.ts';
import { isNamespace } from '../matching/matcher.ts';
import { describe } from '../matching/request-description.ts';
import { type KindName, type ShownRequest, show } from '../matching/shown-request.ts';
import { Lookup } from './lookup.ts';

export interface ValueSources extends HookContext {
  readonly objects: Objects;
  readonly decideAccess: DecideAccess;
  readonly vocabulary: Vocabulary;
}

const NAMESPACES = { group: '', plural: 'namespaces' };

/** What expressions see of one request. What takes time to make is made once for each version that policies look at it in. */
export class RequestValues {
  readonly #request: AdmissionRequest;
  readonly #sources: ValueSources;
  /** Nearly always one. */
  readonly #inVersions: ValuesInVersion[] = [];
  #decisions: Lookup<AccessDecision> | undefined;
  #convertedParams: Lookup<ApiObject> | undefined;

  constructor(request: AdmissionRequest, sources: ValueSources) {
    this.#request = request;
    this.#sources = sources;
  }

  /** Params that had to be converted. */
  get convertedParams(): Lookup<ApiObject> {
    this.#convertedParams ??= new Lookup();
    return this.#convertedParams;
  }

  /** The objects in the version `as`, with `params`. */
  in(as: ResourceType, params: ApiObject | null): PolicyValues {
    const values = this.#inVersions.find((known) => known.as === as) ?? this.#make(as);
    return params === null ? values : new ValuesWithParams(values, params);
  }

  #make(as: ResourceType): ValuesInVersion {
    const shown = show(this.#request, as, this.#sources);
    const made = new ValuesInVersion(this.#request, as, shown, this.#sources, (question) => this.#decide(question));
    this.#inVersions.push(made);
    return made;
  }

  #decide(question: AccessQuestion): AccessDecision {
    this.#decisions ??= new Lookup();
    return this.#decisions.get(JSON.stringify(question), () => {
      const { serviceAccount, path, ...access } = question;
      const user = serviceAccount ? accountNamed(serviceAccount) : this.#request.user;
      return this.#sources.decideAccess(user, path === undefined ? access : { verb: access.verb, path });
    });
  }
}

/** One request in one version. What expressions hardly ever ask for is made when one does. */
class ValuesInVersion implements PolicyValues {
  readonly as: ResourceType;
  readonly object: TypeMeta | null;
  readonly oldObject: TypeMeta | null;
  readonly params = null;
  readonly #request: AdmissionRequest;
  readonly #kind: KindName;
  readonly #sources: ValueSources;
  readonly #decide: DecideQuestion;
  #described: object | undefined;
  #namespace: object | null | undefined;

  constructor(
    request: AdmissionRequest,
    as: ResourceType,
    { object, oldObject, kind }: ShownRequest,
    sources: ValueSources,
    decide: DecideQuestion,
  ) {
    this.as = as;
    this.object = object ?? null;
    this.oldObject = oldObject ?? null;
    this.#request = request;
    this.#kind = kind;
    this.#sources = sources;
    this.#decide = decide;
  }

  get request(): object {
    this.#described ??= describe(this.#request, this.as, this.#kind, this.#sources.vocabulary);
    return this.#described;
  }

  get namespaceObject(): object | null {
    if (this.#namespace === undefined) this.#namespace = namespaceOf(this.#request, this.#sources.objects);
    return this.#namespace;
  }

  get authorizer(): unknown {
    return authorizerValue(this.#decide);
  }

  get 'authorizer.requestResource'(): unknown {
    const { subresource, namespace, name } = this.#request;
    const { group, plural: resource } = this.as;
    return resourceCheckValue(this.#decide, { group, resource, subresource, namespace, name });
  }
}

/** The same values, with one of the objects that parameterize a policy. */
class ValuesWithParams implements PolicyValues {
  readonly params: ApiObject;
  readonly #values: PolicyValues;

  constructor(values: PolicyValues, params: ApiObject) {
    this.#values = values;
    this.params = params;
  }

  get object(): unknown {
    return this.#values.object;
  }

  get oldObject(): unknown {
    return this.#values.oldObject;
  }

  get request(): unknown {
    return this.#values.request;
  }

  get namespaceObject(): unknown {
    return this.#values.namespaceObject;
  }

  get authorizer(): unknown {
    return this.#values.authorizer;
  }

  get 'authorizer.requestResource'(): unknown {
    return this.#values['authorizer.requestResource'];
  }
}

function namespaceOf({ type, namespace }: AdmissionRequest, objects: Objects): object | null {
  if (namespace === '' || isNamespace(type)) return null;
  const found = objects.get<Namespace>(NAMESPACES, '', namespace);
  if (!found) return null;
  const { metadata, spec, status } = found;
  return { metadata: { ...metadata, UID: metadata.uid }, spec, status };
}

const accountNamed = ({ namespace, name }: { readonly namespace: string; readonly name: string }): UserInfo =>
  userNamed(serviceAccountUser(namespace, name), serviceAccountGroups(namespace));
