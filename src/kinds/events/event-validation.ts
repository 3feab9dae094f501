import { unchanged } from '../../meta/field-rules.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { sameValue } from '../../schema/same-value.ts';
import { validateOldPlace, validateReport } from '../core/event/event-validation.ts';
import type { Event } from './event.ts';

const ROOT = Path.of('');

/** Rules on create and update. Clients know most paths by the names of the older form. */
export function validateEventsEvent(event: Event, problems: Problems, context: HookContext): void {
  const { metadata, regarding, eventTime, reportingController: name = '' } = event;
  const { namespace = '' } = metadata;
  const { namespace: subjectNamespace = '' } = regarding;
  if (!eventTime) {
    validateOldPlace(namespace, subjectNamespace, problems);
    return;
  }
  const { reportingInstance = '', action = '', reason = '', note = '' } = event;
  const controller = { field: 'reportingController', name };
  validateReport(
    { namespace, subjectNamespace, controller, reportingInstance, action, reason, note },
    problems,
    context,
  );
}

const UNSET = 'needs to be unset';

/** A new event uses none of the fields that only old ones have. */
export function validateEventsEventCreate(event: Event, problems: Problems): void {
  const {
    eventTime,
    type = '',
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    deprecatedSource,
  } = event;
  validateSeries(event, problems);
  if (!eventTime) problems.required('eventTime');
  if (type !== 'Normal' && type !== 'Warning') problems.invalid('type', '', `has invalid value: ${type}`);
  if (deprecatedFirstTimestamp) problems.invalid('firstTimestamp', '', UNSET);
  if (deprecatedLastTimestamp) problems.invalid('lastTimestamp', '', UNSET);
  if (deprecatedCount) problems.invalid('count', '', UNSET);
  if (deprecatedSource.component || deprecatedSource.host) problems.invalid('source', '', UNSET);
}

function validateSeries({ series }: Event, problems: Problems): void {
  if (!series) return;
  if (series.count < 2) problems.invalid('series.count', '', 'should be at least 2');
  if (!series.lastObservedTime) problems.required('series.lastObservedTime');
}

/** What happened has happened; only that it goes on can be added. */
export function validateEventsEventUpdate(event: Event, old: Event, problems: Problems): void {
  if (!sameValue(event.series, old.series)) validateSeries(event, problems);
  const fixed = (field: string, value: unknown, before: unknown): boolean =>
    unchanged(problems, ROOT, field, value, before);
  fixed('involvedObject', event.regarding, old.regarding);
  fixed('reason', event.reason, old.reason);
  fixed('message', event.note, old.note);
  fixed('source', event.deprecatedSource, old.deprecatedSource);
  fixed('firstTimestamp', event.deprecatedFirstTimestamp, old.deprecatedFirstTimestamp);
  fixed('lastTimestamp', event.deprecatedLastTimestamp, old.deprecatedLastTimestamp);
  fixed('count', event.deprecatedCount, old.deprecatedCount);
  fixed('type', event.type, old.type);
  fixed('eventTime', event.eventTime, old.eventTime);
  fixed('action', event.action, old.action);
  fixed('related', event.related, old.related);
  fixed('reportingController', event.reportingController, old.reportingController);
  fixed('reportingInstance', event.reportingInstance, old.reportingInstance);
}
