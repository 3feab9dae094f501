import type { FlowSchema } from '../kinds/flowcontrol/v1beta2/flow-schema.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { UserInfo } from '../user.ts';
import { isAmong, RequestRules } from './request-rules.ts';

/** One flow schema, and where it leads. */
interface Entry<Route> {
  readonly route: Route;
  readonly schema: FlowSchema;
  readonly rules: readonly RequestRules[];
}

/** What is left of a schema once it is known who asks. */
interface Possibility<Route> {
  readonly route: Route;
  readonly rules: readonly RequestRules[];
}

/**
 * Finds the flow schema that a request belongs to: the first, by precedence and then by name, that is about its user and
 * what it asks for. Users are objects that live as long as their connection or token, so that what can be said about a
 * user alone is found out once.
 */
export class Classifier<Route> {
  readonly #entries: readonly Entry<Route>[];
  readonly #fallback: Route;
  readonly #possibilities = new WeakMap<UserInfo, readonly Possibility<Route>[]>();

  /** `fallback`: for what no schema is about. */
  constructor(schemas: readonly FlowSchema[], routeOf: (schema: FlowSchema) => Route, fallback: Route) {
    this.#entries = schemas.toSorted(byPrecedence).map((schema) => ({
      route: routeOf(schema),
      schema,
      rules: (schema.spec.rules ?? []).map((rules) => new RequestRules(rules)),
    }));
    this.#fallback = fallback;
  }

  routeOf(user: UserInfo, info: RequestInfo): Route {
    for (const { route, rules } of this.#possibilities.get(user) ?? this.#possibilitiesOf(user)) {
      for (const rule of rules) if (rule.cover(info)) return route;
    }
    return this.#fallback;
  }

  #possibilitiesOf(user: UserInfo): readonly Possibility<Route>[] {
    const possible = this.#entries
      .map(({ route, schema, rules }) => ({
        route,
        rules: rules.filter((_, at) => isAmong(user, schema.spec.rules?.[at]?.subjects ?? [])),
      }))
      .filter(({ rules }) => rules.length > 0);
    this.#possibilities.set(user, possible);
    return possible;
  }
}

function byPrecedence(one: FlowSchema, other: FlowSchema): number {
  const difference = one.spec.matchingPrecedence - other.spec.matchingPrecedence;
  if (difference !== 0) return difference;
  return (one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1;
}
