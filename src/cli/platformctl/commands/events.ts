import { apiVersionOfKind } from '../../../client/served-kind.ts';
import type { Event } from '../../../kinds/core/event/event.ts';
import { fieldText } from '../../../selectors/field-text.ts';
import { integer, list as listFlag, optionalText } from '../../../settings/flag.ts';
import { ageText } from '../describe/events.ts';
import { Plane } from '../describe/plane.ts';
import { byText } from '../describe/texts.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { columnsText } from '../print/columns.ts';
import { asksForObjects, OUTPUT_FLAGS, type OutputFlags } from '../print/output-flags.ts';
import { objectPrinter, printObject } from '../print/print-objects.ts';
import { CHOICE_FLAGS } from '../resources/selection.ts';
import { Deadline } from '../watching/deadline.ts';
import { changesSince } from '../watching/watched-list.ts';

const TYPES: ReadonlySet<string> = new Set(['normal', 'warning']);
const FOR_EVER = -1;

export const events = command({
  usage: 'events [--for TYPE/NAME] [--types=TYPE,...] [-w]',
  about: 'Shows what has happened in a namespace, the oldest first.',
  examples: [
    ['What has happened to a pod', 'events --for pod/web-1'],
    ['Trouble, as it comes', 'events --types=Warning --watch'],
  ],
  flags: {
    ...OUTPUT_FLAGS,
    allNamespaces: CHOICE_FLAGS.allNamespaces,
    for: optionalText('for', 'TYPE/NAME', 'the object that events are about'),
    types: listFlag('types', 'TYPES', [], 'Normal or Warning: events of these types alone'),
    watch: short('w', onOff('watch', false, 'go on with what happens next')),
    noHeaders: onOff('no-headers', false, 'leave out the names of columns'),
    chunkSize: integer('chunk-size', 0, 1_000_000, 500, 'events to ask for at once; taken for the sake of scripts'),
  },
  async run({ flags, session }) {
    const types = new Set(flags.types.map((type) => type.toLowerCase()));
    if ([...types].some((type) => !TYPES.has(type))) throw new CommandError('valid --types are Normal or Warning');
    const question: Question = {
      namespace: flags.allNamespaces ? '' : (await session.namespace()).name,
      fieldSelector: flags.for === undefined ? '' : await aboutSelector(session, flags.for),
      isWanted: ({ type }) => types.size === 0 || types.has((type ?? '').toLowerCase()),
    };
    if (flags.watch) await watchEvents(session, question, flags);
    else await listEvents(session, question, flags);
  },
});

/** Which events are meant. */
interface Question {
  readonly namespace: string;
  /** '' for all. */
  readonly fieldSelector: string;
  isWanted(event: Event): boolean;
}

type EventFlags = OutputFlags & { readonly allNamespaces: boolean; readonly noHeaders: boolean };

async function aboutSelector(session: Session, about: string): Promise<string> {
  const [type = '', name = '', ...more] = about.split('/');
  if (!about.includes('/') || more.length > 0) throw new CommandError('--for must be in resource/name form');
  const resource = (await session.resources()).named(type);
  if (name === '') return '';
  return fieldText({
    'involvedObject.kind': resource.kind,
    'involvedObject.apiVersion': apiVersionOfKind(resource),
    'involvedObject.name': name,
  });
}

async function listEvents(session: Session, question: Question, flags: EventFlags): Promise<void> {
  if (asksForObjects(flags)) await objectPrinter(session, flags);
  const { namespace, fieldSelector } = question;
  const plane = new Plane(await session.client(), await session.resources());
  const listed = await plane.list<Event>('', 'events', namespace, fieldSelector === '' ? {} : { fieldSelector });
  const wanted = listed.filter(question.isWanted).sort((a, b) => byText(lastSeen(a), lastSeen(b)));
  if (asksForObjects(flags)) {
    const found = { kind: 'EventList', apiVersion: 'v1', metadata: {}, items: wanted };
    await printObject(session, found, flags, 'given');
    return;
  }
  if (wanted.length === 0) {
    const place = namespace === '' ? 'No events found.\n' : `No events found in ${namespace} namespace.\n`;
    await write(session.io.stderr, place);
    return;
  }
  const rows = wanted.map((event) => rowOf(event, flags, session.runtime.now()));
  await write(session.io.stdout, columnsText(flags.noHeaders ? rows : [headerOf(flags), ...rows]));
}

const lastSeen = ({ series, lastTimestamp, eventTime }: Event): string =>
  series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? '';

const headerOf = ({ allNamespaces }: EventFlags): string[] => [
  ...(allNamespaces ? ['NAMESPACE'] : []),
  'LAST SEEN',
  'TYPE',
  'REASON',
  'OBJECT',
  'MESSAGE',
];

function rowOf(event: Event, { allNamespaces }: EventFlags, now: number): string[] {
  const { kind = '', name = '' } = event.involvedObject;
  return [
    ...(allNamespaces ? [event.metadata.namespace ?? ''] : []),
    ageText(event, now),
    event.type ?? '',
    event.reason ?? '',
    `${kind}/${name}`,
    (event.message ?? '').trim(),
  ];
}

/** What there is, and what comes, each as a row of its own, until Ctrl-C. */
async function watchEvents(session: Session, question: Question, flags: EventFlags): Promise<void> {
  const { namespace, fieldSelector, isWanted } = question;
  const client = await session.client();
  const resource = (await session.resources()).named('events');
  const options = fieldSelector === '' ? {} : { fieldSelector };
  const { resourceVersion, items } = await client.list<Event>(resource, namespace, options);
  const printer = asksForObjects(flags) ? await objectPrinter(session, flags, 'given') : undefined;
  let count = 0;
  const show = async (event: Event): Promise<void> => {
    if (!isWanted(event)) return;
    if (printer) {
      await write(session.io.stdout, printer.textOf({ ...event, kind: 'Event', apiVersion: 'v1' }, count++));
      return;
    }
    const row = rowOf(event, flags, session.runtime.now());
    await write(session.io.stdout, columnsText(count++ === 0 && !flags.noHeaders ? [headerOf(flags), row] : [row]));
  };
  for (const event of [...items].sort((a, b) => byText(lastSeen(a), lastSeen(b)))) await show(event);
  const deadline = new Deadline(session, FOR_EVER);
  try {
    for await (const { type, object } of changesSince(
      session,
      { resource, namespace, ...options },
      resourceVersion,
      deadline.signal,
    )) {
      if (type !== 'DELETED') await show(object as Event);
    }
  } finally {
    deadline.close();
  }
}
