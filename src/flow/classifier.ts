import type { UserInfo } from '../api/user.ts';
import type { FlowSchema } from '../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { RequestRules } from './request-rules.ts';
import { accountNamespace, Subjects } from './subjects.ts';

/** One set of rules of a flow schema: whom it is about, what they ask for, and where that leads. */
interface Entry<Route> {
  readonly subjects: Subjects;
  readonly requests: RequestRules;
  readonly route: Route;
}

/**
 * Finds the flow schema that a request belongs to: the first, by precedence and then by name, that is about its user and
 * what it asks for. Users are objects that live as long as their connection or token, so that what can be said about a
 * user alone is found out once.
 */
export class Classifier<Route> {
  readonly #entries: readonly Entry<Route>[];
  readonly #fallback: Route;
  readonly #ofUsers = new WeakMap<UserInfo, readonly Entry<Route>[]>();

  /** `fallback`: for what no schema is about. */
  constructor(schemas: readonly FlowSchema[], routeOf: (schema: FlowSchema) => Route, fallback: Route) {
    this.#entries = schemas.toSorted(byPrecedence).flatMap((schema) => {
      const route = routeOf(schema);
      return (schema.spec.rules ?? []).map((rules) => ({
        subjects: new Subjects(rules.subjects ?? []),
        requests: new RequestRules(rules),
        route,
      }));
    });
    this.#fallback = fallback;
  }

  routeOf(user: UserInfo, info: RequestInfo): Route {
    for (const { requests, route } of this.#ofUsers.get(user) ?? this.#entriesOf(user)) {
      if (requests.cover(info)) return route;
    }
    return this.#fallback;
  }

  #entriesOf(user: UserInfo): readonly Entry<Route>[] {
    const namespace = accountNamespace(user);
    const entries = this.#entries.filter(({ subjects }) => subjects.include(user, namespace));
    this.#ofUsers.set(user, entries);
    return entries;
  }
}

function byPrecedence(one: FlowSchema, other: FlowSchema): number {
  const difference = one.spec.matchingPrecedence - other.spec.matchingPrecedence;
  if (difference !== 0) return difference;
  return (one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1;
}
