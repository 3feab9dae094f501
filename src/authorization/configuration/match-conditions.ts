import { standardFunctions } from '../../cel/functions/standard.ts';
import { type NamedExpression, NamedValues, NoValue } from '../../cel/named-values.ts';
import { BOOL, type Field, listOf, mapOf, type ObjectType, STRING, type Type } from '../../cel/types/type.ts';
import type { ConfigurationFields } from '../../codec/configuration-fields.ts';
import type { Attributes } from '../attributes.ts';

const objectOf = (name: string, types: Readonly<Record<string, Type>>): ObjectType => ({
  kind: 'object',
  name,
  fields: new Map<string, Field>(Object.entries(types).map(([field, type]) => [field, { name: field, type }])),
});

const textsOf = (...names: readonly string[]): Readonly<Record<string, Type>> =>
  Object.fromEntries(names.map((name) => [name, STRING]));

/** What conditions see: what a SubjectAccessReview would ask. */
const REQUEST = objectOf('SubjectAccessReviewSpec', {
  resourceAttributes: objectOf(
    'ResourceAttributes',
    textsOf('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
  ),
  nonResourceAttributes: objectOf('NonResourceAttributes', textsOf('path', 'verb')),
  ...textsOf('user', 'uid'),
  groups: listOf(STRING),
  extra: mapOf(STRING, listOf(STRING)),
});

const ABOUT_REQUEST = new NamedValues({ request: REQUEST }, standardFunctions());

const MOST_CONDITIONS = 64;

/** Whether all conditions hold. `problem`: one has no answer, and none says no. */
export type Match = { readonly matches: boolean } | { readonly problem: string };

const MATCHES: Match = { matches: true };
const DIFFERS: Match = { matches: false };

/** What a request must be like for a webhook to be asked about it. */
export class MatchConditions {
  readonly #conditions: readonly NamedExpression[];

  constructor(conditions: readonly NamedExpression[]) {
    this.#conditions = conditions;
  }

  /** Those of the field `matchConditions`. Throws an Error that names the field that is wrong. */
  static read(fields: ConfigurationFields): MatchConditions {
    const seen = new Set<string>();
    return new MatchConditions(
      fields.objects('matchConditions', MOST_CONDITIONS).map((condition) => {
        const source = condition.only('expression').requiredText('expression');
        if (seen.has(source)) throw condition.problem('expression', 'is there twice');
        seen.add(source);
        try {
          return ABOUT_REQUEST.compile(source, [BOOL]);
        } catch (error) {
          throw condition.problem('expression', error instanceof Error ? error.message : String(error));
        }
      }),
    );
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** One that says no counts more than one that fails. */
  match(wanted: Attributes): Match {
    if (this.isEmpty) return MATCHES;
    const request = requestOf(wanted);
    let problem: string | undefined;
    for (const condition of this.#conditions) {
      try {
        if (condition.evaluate({ request }) !== true) return DIFFERS;
      } catch (error) {
        if (!(error instanceof NoValue)) throw error;
        problem ??= error.message;
      }
    }
    return problem === undefined ? MATCHES : { problem };
  }
}

/** Every text is there, also those that are empty. */
function requestOf({ user, verb, resourceRequest, path, ...target }: Attributes): object {
  const { namespace, group, version, resource, subresource, name } = target;
  return {
    ...(resourceRequest
      ? { resourceAttributes: { namespace, verb, group, version, resource, subresource, name } }
      : { nonResourceAttributes: { path, verb } }),
    user: user.name,
    uid: user.uid,
    groups: user.groups,
    extra: Object.fromEntries(user.extra),
  };
}
