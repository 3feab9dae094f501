import type { Authorizer } from '../../authorization/attributes.ts';
import type { Action } from '../../handlers/actions/action.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import type { Struct } from '../../schema/schema.ts';
import type { AttributionSource } from './attribution-source.ts';

/** What questions about objects are answered from, besides what every action is handed. */
export interface QuestionSources {
  /** The group of the questions. */
  readonly group: string;
  readonly authorizer: Authorizer;
  readonly attributions: AttributionSource;
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
