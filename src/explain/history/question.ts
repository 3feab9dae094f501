import type { Authorizer } from '../../authorization/attributes.ts';
import type { Action } from '../../handlers/actions/action.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { Rest } from '../../runtime/pacing.ts';
import { settle } from '../../schema/derive/canonical.ts';
import type { Struct } from '../../schema/schema.ts';
import type { AttributionSource } from './attribution-source.ts';

/** What questions about objects are answered from, besides what every action is handed. */
export interface QuestionSources {
  /** The group of the questions. */
  readonly group: string;
  readonly authorizer: Authorizer;
  readonly attributions: AttributionSource;
}

/**
 * The answer to a question in canonical form. It may be large, so that it takes a turn of its own; what was asked is in this
 * form already, and may be larger.
 */
export async function answered<T extends ApiObject>(schema: Struct<T>, asked: T, status: unknown, rest: Rest) {
  await rest();
  const body = settle(schema, { ...asked, status }, asked);
  await rest();
  return { status: 201, body, rest };
}

type Run<T extends ApiObject> = Action<T>['run'];

/** A question that is posted: nothing is stored, and admission is not asked about it. */
export const question = <T extends ApiObject>(
  group: string,
  kind: string,
  plural: string,
  schema: Struct<T>,
  run: Run<T>,
): Action<T> => ({
  group,
  plural,
  subresource: '',
  accepts: [{ group, version: 'v1alpha1', kind, schema }],
  admission: false,
  run,
});
