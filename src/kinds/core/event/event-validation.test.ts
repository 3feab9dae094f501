import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { Event as NewEvent } from '../../events/event.ts';
import {
  validateEventsEvent,
  validateEventsEventCreate,
  validateEventsEventUpdate,
} from '../../events/event-validation.ts';
import { Event } from './event.ts';
import { validateEvent } from './event-validation.ts';

const eventTime = '2001-01-01T00:00:00.000000Z';
const report = { eventTime, reportingInstance: 'i', action: 'A', reason: 'R' };

describe('an event', () => {
  const old = { metadata: { namespace: 'n' }, involvedObject: { namespace: 'n' } };
  const timed = { ...old, ...report, reportingComponent: 'x.y/c' };

  it.each([
    [old, {}, []],
    [old, { metadata: { namespace: 'default' }, involvedObject: { namespace: null } }, []],
    [old, { involvedObject: { namespace: null } }, ['Invalid involvedObject.namespace']],
    [old, { involvedObject: { namespace: 'other' } }, ['Invalid involvedObject.namespace']],
    [timed, { message: 'm', involvedObject: { namespace: 'other' } }, []],
    [timed, { metadata: { namespace: 'platform-system' }, involvedObject: { namespace: null } }, []],
    [timed, { involvedObject: { namespace: null } }, ['Invalid involvedObject.namespace']],
    [timed, { reportingComponent: '' }, ['Invalid reportingComponent', 'Required reportingComponent']],
    [timed, { reportingComponent: 'a b' }, ['Invalid reportingComponent']],
    [timed, { reportingInstance: '' }, ['Required reportingInstance']],
    [timed, { reportingInstance: 'i'.repeat(129) }, ['Invalid reportingInstance']],
    [timed, { action: '' }, ['Required action']],
    [timed, { action: 'a'.repeat(129) }, ['Invalid action']],
    [timed, { reason: '' }, ['Required reason']],
    [timed, { reason: 'r'.repeat(129) }, ['Invalid reason']],
    [timed, { message: 'm'.repeat(1025) }, ['Invalid message']],
  ])('%#: %j', (base, change, causes) => {
    expect(problemsOf(Event, { validate: validateEvent }, changed(base, change))).toEqual(causes);
  });
});

describe('an event of the newer form', () => {
  const event = {
    ...report,
    metadata: { namespace: 'n' },
    regarding: { namespace: 'n' },
    reportingController: 'x.y/c',
    type: 'Normal',
  };

  it.each([
    [{ series: { count: 2, lastObservedTime: eventTime } }, []],
    [{ eventTime: null }, ['Required eventTime']],
    [{ type: 'Odd' }, ['Invalid type']],
    [{ reportingController: 'a b' }, ['Invalid reportingController']],
    [{ action: '' }, ['Required action']],
    [{ note: 'n'.repeat(1025) }, ['Invalid message']],
    [{ regarding: { namespace: null } }, ['Invalid involvedObject.namespace']],
    [{ series: { count: 1 } }, ['Invalid series.count', 'Required series.lastObservedTime']],
    [{ deprecatedCount: 3 }, ['Invalid count']],
    [{ deprecatedFirstTimestamp: '2001-01-01T00:00:00Z' }, ['Invalid firstTimestamp']],
    [{ deprecatedLastTimestamp: '2001-01-01T00:00:00Z' }, ['Invalid lastTimestamp']],
    [{ deprecatedSource: { component: 'c' } }, ['Invalid source']],
  ])('with %j: %j', (change, causes) => {
    const rules = { validate: validateEventsEvent, validateCreate: validateEventsEventCreate };
    expect(problemsOf(NewEvent, rules, changed(event, change))).toEqual(causes);
  });

  it.each([
    [{ series: { count: 2, lastObservedTime: eventTime }, metadata: { labels: { a: 'b' } } }, []],
    [{ series: { count: 1, lastObservedTime: eventTime } }, ['Invalid series.count']],
    [{ regarding: { name: 'other' } }, ['Invalid involvedObject']],
    [{ reason: 'Other' }, ['Invalid reason']],
    [{ note: 'other' }, ['Invalid message']],
    [{ type: 'Warning' }, ['Invalid type']],
    [{ eventTime: '2002-01-01T00:00:00.000000Z' }, ['Invalid eventTime']],
    [{ action: 'Other' }, ['Invalid action']],
    [{ related: { name: 'other' } }, ['Invalid related']],
    [{ reportingController: 'other' }, ['Invalid reportingController']],
    [{ reportingInstance: 'other' }, ['Invalid reportingInstance']],
  ])('changed to %j: %j', (change, causes) => {
    expect(problemsOfChange(NewEvent, validateEventsEventUpdate, event, changed(event, change))).toEqual(causes);
  });
});
