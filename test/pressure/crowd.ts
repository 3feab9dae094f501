import { setTimeout as sleep } from 'node:timers/promises';
import { endCommands, startCommand } from '../support/command.ts';
import { makeDirectory, removeDirectory } from '../support/temporary-directory.ts';
import { fill } from './fill.ts';
import { memoryOf } from './memory-of.ts';
import { Prober, type Wait } from './prober.ts';
import { readSlowly, type SlowReader } from './slow-reader.ts';

export interface Crowd {
  readonly objects: number;
  readonly lists: number;
  readonly watches: number;
  readonly seconds: number;
}

export interface CrowdFigures {
  /** Megabytes that are not backed by a file, above those of the idle server. */
  readonly aboveIdle: number;
  readonly wait: Wait;
  readonly floor: Wait;
  readonly refused: number;
}

const PATH = '/api/v1/namespaces/default/configmaps';
const FORMS = [
  'application/json',
  'application/json;as=Table;v=v1;g=meta.platform.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.platform.io',
];
const BYTES_PER_SECOND = 10_000;
/** This process shakes hands with the server as often as the server does, and is slower at it. */
const AT_ONCE = 40;

/** Many ask for everything at once, in every form, and read it slowly: what it costs, and what others notice of it. */
export async function crowd({ objects, lists, watches, seconds }: Crowd): Promise<CrowdFigures> {
  const directory = await makeDirectory();
  try {
    await fill(`${directory}/.platform`, objects);
    const command = startCommand(directory);
    await command.ready();
    const connection = await command.connection();
    await sleep(5_000);
    const idle = memoryOf(command.pid).anonymous;
    const prober = new Prober(connection.server, command.pid);
    await sleep(1_000);
    const floor = await prober.measure();
    const wanted = [
      ...Array.from({ length: lists }, (_, at) => ({ path: PATH, form: FORMS[at % FORMS.length] ?? '' })),
      ...Array.from({ length: watches }, () => ({ path: `${PATH}?watch=1&resourceVersion=0`, form: FORMS[0] ?? '' })),
    ];
    const open: SlowReader[] = [];
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      const some = wanted.slice(at, at + AT_ONCE);
      open.push(
        ...(await Promise.all(some.map(({ path, form }) => readSlowly(connection, path, form, BYTES_PER_SECOND)))),
      );
    }
    let most = 0;
    for (let at = 0; at < seconds; at++) {
      await sleep(1_000);
      most = Math.max(most, memoryOf(command.pid).anonymous);
    }
    const wait = await prober.measure();
    for (const reader of open) reader.close();
    prober.close();
    return { aboveIdle: most - idle, wait, floor, refused: open.filter(({ status }) => status !== 200).length };
  } finally {
    await endCommands();
    await removeDirectory(directory);
  }
}
