import { pathSegment } from '../../../meta/formats.ts';
import { type ResourceType, resourceType, type SelectableField } from '../../../registry/resource-type.ts';
import { Event } from './event.ts';
import { eventColumns } from './event-columns.ts';
import { validateEvent } from './event-validation.ts';

const eventFields: Readonly<Record<string, SelectableField<Event>>> = {
  type: ({ type }) => type ?? '',
  reason: ({ reason }) => reason ?? '',
  source: ({ source, reportingComponent }) => source.component || reportingComponent,
  reportingComponent: ({ reportingComponent }) => reportingComponent,
  'involvedObject.kind': ({ involvedObject }) => involvedObject.kind ?? '',
  'involvedObject.namespace': ({ involvedObject }) => involvedObject.namespace ?? '',
  'involvedObject.name': ({ involvedObject }) => involvedObject.name ?? '',
  'involvedObject.uid': ({ involvedObject }) => involvedObject.uid ?? '',
  'involvedObject.apiVersion': ({ involvedObject }) => involvedObject.apiVersion ?? '',
  'involvedObject.resourceVersion': ({ involvedObject }) => involvedObject.resourceVersion ?? '',
  'involvedObject.fieldPath': ({ involvedObject }) => involvedObject.fieldPath ?? '',
};

/** Events as they are stored. They are served in a group of their own too. */
export const eventType: ResourceType<Event> = resourceType<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  schema: Event,
  nameRule: pathSegment,
  strategy: { createOnUpdate: true, defaultPropagation: 'none' },
  columns: eventColumns,
  selectableFields: eventFields,
  validate: validateEvent,
});
