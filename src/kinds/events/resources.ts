import { formatted } from '../../meta/field-rules.ts';
import { dns1123Subdomain } from '../../meta/formats.ts';
import { type ResourceType, resourceType } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { Event as CoreEvent } from '../core/event/event.ts';
import { eventType } from '../core/event/event-type.ts';
import { eventFromCore, eventToCore } from './conversion.ts';
import { Event } from './event.ts';
import { validateEventsEvent, validateEventsEventCreate, validateEventsEventUpdate } from './event-validation.ts';

const METADATA = Path.of('metadata');

/** What is stored is an event of the core group, but what is written here is held against the rules of this group. */
const stored: ResourceType<CoreEvent> = {
  ...eventType,
  validate: (event, problems, context) => validateEventsEvent(eventFromCore(event), problems, context),
  validateCreate(event, problems) {
    formatted(problems, METADATA, 'name', event.metadata.name ?? '', (name) => dns1123Subdomain(name));
    validateEventsEventCreate(eventFromCore(event), problems);
  },
  rules: {
    validateUpdate: (event, old, problems) =>
      validateEventsEventUpdate(eventFromCore(event), eventFromCore(old), problems),
  },
};

export const eventsResources = (v: Vocabulary): readonly ResourceType[] => [
  resourceType<Event>({
    group: v.groups.events,
    version: 'v1',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    namespaced: true,
    schema: Event,
    nameRule: dns1123Subdomain,
    strategy: { createOnUpdate: true, defaultPropagation: 'none' },
    selectableFields: { type: ({ type }) => type ?? '', reason: ({ reason }) => reason ?? '' },
    selectableAliases: {
      reportingController: 'reportingComponent',
      'regarding.kind': 'involvedObject.kind',
      'regarding.namespace': 'involvedObject.namespace',
      'regarding.name': 'involvedObject.name',
      'regarding.uid': 'involvedObject.uid',
      'regarding.apiVersion': 'involvedObject.apiVersion',
      'regarding.resourceVersion': 'involvedObject.resourceVersion',
      'regarding.fieldPath': 'involvedObject.fieldPath',
    },
    conversion: { hub: stored, toHub: eventToCore, fromHub: eventFromCore },
  }),
];
