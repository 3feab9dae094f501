import { badRequest } from '../../api/errors.ts';
import { isSelectable, type Selection, selectionOf } from '../../registry/facets.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { Query } from '../../request/request-info.ts';
import { FieldSelector, parseFieldSelector } from '../../selectors/field-selector.ts';
import { type LabelSelector, parseLabelSelector, SelectorError } from '../../selectors/label-selector.ts';

/** What the query selects, undefined when that is everything. `name` narrows it to one object. */
export function readSelection(type: ResourceType, query: Query, name = ''): Selection | undefined {
  if (name === '' && !query.has('labelSelector') && !query.has('fieldSelector')) return undefined;
  const { labels, fields } = readSelectors(type, query);
  return selectionOf(type, labels, withName(fields, name));
}

/** The selectors of the query; empty ones where it has none. */
export function readSelectors(type: ResourceType, query: Query): { labels: LabelSelector; fields: FieldSelector } {
  try {
    const labels = parseLabelSelector(query.get('labelSelector'));
    const fields = parseFieldSelector(query.get('fieldSelector'));
    for (const { field } of fields.terms) {
      if (!isSelectable(type, field)) throw badRequest(`field label not supported: ${field}`);
    }
    return { labels, fields };
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

const withName = (selector: FieldSelector, name: string): FieldSelector =>
  name === '' ? selector : new FieldSelector([...selector.terms, { field: 'metadata.name', value: name, equal: true }]);
