import { type Action, actionKey } from '../../handlers/actions/action.ts';
import { type Connector, connectorKey } from '../../handlers/connect/connector.ts';
import type { ResourceType, Subresource, Verb } from '../../registry/resource-type.ts';
import type { Node } from '../../schema/node.ts';
import { string } from '../../schema/scalars.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Endpoint, GroupVersionKind, Method, Operation } from './endpoint.ts';
import { capitalised, type PublishedNames } from './names.ts';
import { NAME, NAMESPACE, PATH, type Parameter, PRETTY, QUERIES, queryOf } from './parameters.ts';
import { VERBS } from './verbs.ts';

/** What the endpoints of resources depend on besides their types. */
export interface Surroundings {
  readonly vocabulary: Vocabulary;
  readonly names: PublishedNames;
  readonly actions: ReadonlyMap<string, Action>;
  readonly connectors: ReadonlyMap<string, Connector>;
}

const COLLECTION_VERBS: readonly Verb[] = ['list', 'create', 'deletecollection'];
const ITEM_VERBS: readonly Verb[] = ['get', 'update', 'patch', 'delete'];

/** Methods that no verb of its own stands for, but that travel through a proxy as well. */
const UNNAMED_METHODS: readonly Method[] = ['head', 'options'];

const ANY_TYPE = ['*/*'];
const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

/** `/apis/apps/v1`, or `/api/v1` for the core group. */
export const basePath = (group: string, version: string): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** Every path of a resource and of what lies below it. */
export function resourceEndpoints(type: ResourceType, surroundings: Surroundings): Endpoint[] {
  return new ResourceEndpoints(type, surroundings).all().filter(({ operations }) => operations.length > 0);
}

/** `a Pod`, `an Ingress`. */
const withArticle = (kind: string): string => `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`;

class ResourceEndpoints {
  readonly #type: ResourceType;
  readonly #surroundings: Surroundings;
  readonly #base: string;
  /** From the version to the collection. */
  readonly #path: string;
  readonly #scope: readonly Parameter[];

  constructor(type: ResourceType, surroundings: Surroundings) {
    const { group, version, namespaced, plural } = type;
    this.#type = type;
    this.#surroundings = surroundings;
    this.#base = basePath(group, version);
    this.#path = namespaced ? `/namespaces/{namespace}/${plural}` : `/${plural}`;
    this.#scope = namespaced ? [NAMESPACE] : [];
  }

  all(): Endpoint[] {
    const [path, scope] = [this.#path, this.#scope];
    const subresources = Object.entries(this.#type.subresources).sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      ...this.#acrossNamespaces(),
      this.#endpoint(path, scope, this.#offered(COLLECTION_VERBS)),
      this.#endpoint(`${path}/{name}`, [NAME, ...scope], this.#offered(ITEM_VERBS)),
      ...subresources.flatMap(([name, subresource]) => this.#subresource(name, subresource)),
      ...this.#watches(),
    ];
  }

  #endpoint(path: string, parameters: readonly Parameter[], operations: readonly Operation[]): Endpoint {
    const { group, version } = this.#type;
    const tag = this.#surroundings.names.tag(group, version);
    return { path: this.#base + path, tag, parameters: [...parameters, PRETTY], operations };
  }

  #offered(verbs: readonly Verb[]): Operation[] {
    return verbs.filter((verb) => this.#type.verbs.includes(verb)).map((verb) => this.#operation(verb));
  }

  #acrossNamespaces(): Endpoint[] {
    const { namespaced, verbs, plural, kind } = this.#type;
    if (!namespaced || !verbs.includes('list')) return [];
    const list = { ...this.#operation('list'), id: this.#id('list', `${kind}ForAllNamespaces`) };
    return [this.#endpoint(`/${plural}`, [], [list])];
  }

  /** The older way to watch, by a path of its own. */
  #watches(): Endpoint[] {
    const [path, scope] = [this.#path, this.#scope];
    const { namespaced, verbs, plural, kind } = this.#type;
    if (!verbs.includes('watch')) return [];
    const watch = this.#operation('watch');
    const many = { ...watch, action: 'watchlist', id: `${watch.id}List` };
    const everywhere = { ...many, id: this.#id('watch', `${kind}ListForAllNamespaces`) };
    return [
      ...(namespaced ? [this.#endpoint(`/watch/${plural}`, [], [everywhere])] : []),
      this.#endpoint(`/watch${path}`, scope, [many]),
      this.#endpoint(`/watch${path}/{name}`, [NAME, ...scope], [watch]),
    ];
  }

  #operation(verb: Verb): Operation {
    const { group, version, kind, schema } = this.#type;
    const many = verb === 'deletecollection' ? 'Collection' : '';
    const id = this.#id(VERBS[verb].word, many + this.#scoped(kind));
    return this.#describe(verb, id, { group, version, kind }, schema, withArticle(kind));
  }

  #subresource(name: string, subresource: Subresource): Endpoint[] {
    const type = this.#type;
    const { group = type.group, version = type.version, kind = type.kind, verbs } = subresource;
    const node = this.#subresourceNode(name, subresource);
    const connector = this.#surroundings.connectors.get(connectorKey(type.group, type.plural, name));
    const query = connector ? queryOf(connector.options.schema) : [];
    const path = `${this.#path}/{name}/${name}`;
    const parameters = [NAME, ...this.#scope];
    const what = this.#scoped(type.kind + capitalised(name));
    if (node !== undefined || kind === type.kind) {
      const operations = verbs.map((verb) => {
        const id = this.#id(VERBS[verb].word, what);
        const operation = this.#describe(
          verb,
          id,
          { group, version, kind },
          node,
          `${name} of ${withArticle(type.kind)}`,
        );
        return { ...operation, query: [...operation.query, ...query] };
      });
      return [this.#endpoint(path, parameters, operations)];
    }
    const named = verbs.map((verb) => VERBS[verb].method);
    const methods = connector?.takesPath ? [...named, ...UNNAMED_METHODS] : named;
    const connect = (whatever: string): Operation[] =>
      methods.map((method) => this.#connection(method, name, whatever, { group, version, kind }, query));
    return [
      this.#endpoint(path, parameters, connect(what)),
      ...(connector?.takesPath
        ? [this.#endpoint(`${path}/{path}`, [...parameters, PATH], connect(`${what}WithPath`))]
        : []),
    ];
  }

  /** What a subresource takes and gives; undefined where that is no object. */
  #subresourceNode(name: string, { rules, projection }: Subresource): Node | undefined {
    if (projection) return projection.type.schema;
    const { group, plural, schema } = this.#type;
    const action = this.#surroundings.actions.get(actionKey(group, plural, name));
    return action?.accepts[0]?.schema ?? (rules && schema);
  }

  /** A path that leads on to something else, which answers in whatever way it likes. */
  #connection(
    method: Method,
    name: string,
    what: string,
    kind: GroupVersionKind,
    query: readonly Parameter[],
  ): Operation {
    return {
      method,
      id: this.#id('connect', capitalised(method) + what),
      description: `Connect to ${name} of ${withArticle(this.#type.kind)}.`,
      action: 'connect',
      kind,
      query,
      consumes: ANY_TYPE,
      produces: ANY_TYPE,
      answers: [{ status: 200, node: string() }],
    };
  }

  #describe(verb: Verb, id: string, kind: GroupVersionKind, about: Node | undefined, object: string): Operation {
    const { method, action, statuses, takes, bodyRequired = false, gives } = VERBS[verb];
    const body = about && takes?.(about);
    const answer = gives(about ?? string(), this.#type);
    return {
      method,
      id,
      description: VERBS[verb].describe(object, this.#type.kind),
      action,
      kind,
      query: QUERIES[verb],
      consumes: verb === 'patch' ? PATCH_TYPES : ANY_TYPE,
      produces: this.#produces(verb, about),
      ...(body && { body: { node: body, required: bodyRequired } }),
      answers: statuses.map((status) => ({ status, node: answer })),
    };
  }

  #produces(verb: Verb, about: Node | undefined): readonly string[] {
    const { protobuf, protobufWatch } = this.#surroundings.vocabulary.mediaTypes;
    const plain = ['application/json', 'application/yaml', protobuf];
    if (!about) return ['text/plain', ...plain];
    return verb === 'list' || verb === 'watch' ? [...plain, 'application/json;stream=watch', protobufWatch] : plain;
  }

  #scoped(what: string): string {
    return this.#type.namespaced ? `Namespaced${what}` : what;
  }

  #id(word: string, what: string): string {
    const { group, version } = this.#type;
    return word + this.#surroundings.names.prefix(group, version) + what;
  }
}
