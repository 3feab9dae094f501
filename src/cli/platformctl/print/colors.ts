import { CommandError } from '../frame/failure.ts';
import type { Io } from '../frame/io.ts';
import type { Line } from './table.ts';

/** Whether colours are wanted: flags before the environment, and that before what the output is. */
export function wantsColors(flag: 'auto' | 'always' | 'never', { env, stdout }: Pick<Io, 'env' | 'stdout'>): boolean {
  if (flag !== 'auto') return flag === 'always';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return stdout.isTTY === true && env.TERM !== 'dumb';
}

const RESET = '\x1b[0m';
const CODES = {
  bold: '\x1b[1m',
  dim: '\x1b[2m',
  red: '\x1b[31m',
  green: '\x1b[32m',
  yellow: '\x1b[33m',
  cyan: '\x1b[36m',
};
export type Color = keyof typeof CODES;

export const colored = (color: Color, text: string): string => `${CODES[color]}${text}${RESET}`;

/** Puts colours into lines of a table that are aligned already. */
export interface Paint {
  header(text: string): string;
  row(text: string, cells: Line, header: Line): string;
}

export const PLAIN: Paint = { header: (text) => text, row: (text) => text };

/** Columns whose words say how an object is. */
const STATUS_COLUMNS: ReadonlySet<string> = new Set([
  'STATUS',
  'REASON',
  'TYPE',
  'READY',
  'AVAILABLE',
  'PHASE',
  'STATE',
  'CONDITION',
  'ESTABLISHED',
]);

const CALM: ReadonlySet<string> = new Set([
  'Running',
  'Active',
  'Ready',
  'Bound',
  'Available',
  'Approved,Issued',
  'True',
  'Established',
  'Normal',
]);
const DONE: ReadonlySet<string> = new Set(['Completed', 'Complete', 'Succeeded', 'Released']);
const WAITING: ReadonlySet<string> = new Set([
  'Pending',
  'Terminating',
  'ContainerCreating',
  'PodInitializing',
  'Unknown',
  'NotReady',
  'Warning',
  'Suspended',
  'Progressing',
  'SchedulingDisabled',
  'Lost',
]);
const TROUBLE =
  /BackOff|^Err|Error$|Fail|OOMKilled|Evicted|Invalid|Denied|Unhealthy|DeadlineExceeded|CannotRun|NodeLost|^Terminated$/;

/** The colour that a word of a status draws attention with; undefined where it draws none. */
export function colorOf(column: string, cell: string): Color | undefined {
  if (column === 'READY' || column === 'COMPLETIONS') return colorOfFraction(cell);
  if (!STATUS_COLUMNS.has(column)) return undefined;
  if (TROUBLE.test(cell) || cell === 'NotReady') return 'red';
  const [first = ''] = cell.split(',');
  if (WAITING.has(first) || WAITING.has(cell.split(',')[1] ?? '') || cell.startsWith('Init:')) return 'yellow';
  if (DONE.has(cell)) return 'dim';
  return CALM.has(cell) ? 'green' : undefined;
}

/** `1/3` is on its way, `3/3` is there. */
function colorOfFraction(cell: string): Color | undefined {
  const [, have, want] = /^(\d+)\/(\d+)$/.exec(cell) ?? [];
  if (have === undefined) return undefined;
  return have === want ? 'green' : 'yellow';
}

export const COLORED: Paint = {
  header: (text) => colored('bold', text),
  row(text, cells, header) {
    let from = 0;
    let painted = '';
    for (const [at, cell] of cells.entries()) {
      const color = colorOf(header[at] ?? '', cell);
      const start = text.indexOf(cell, from);
      if (start < 0) continue;
      painted += text.slice(from, start) + (color === undefined || cell === '' ? cell : colored(color, cell));
      from = start + cell.length;
    }
    return painted + text.slice(from);
  },
};

export const paintFor = (flag: 'auto' | 'always' | 'never', io: Io): Paint => (wantsColors(flag, io) ? COLORED : PLAIN);

/** Some flags ask for what only a terminal can show. */
export function demandTerminal(io: Io, flag: string): void {
  if (io.stdout.isTTY !== true) throw new CommandError(`${flag} needs a terminal`);
}
