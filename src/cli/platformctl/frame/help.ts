import type { Command, CommandTable } from './command.ts';
import type { FlagTable, ShellFlag } from './flags.ts';

/** The name of a flag as help shows it. */
const flagName = ({ short, name, value, alone }: ShellFlag<unknown>): string => {
  const letter = short === undefined ? '    ' : `-${short}, `;
  return `    ${letter}--${name}${alone === undefined ? `=${value}` : ''}`;
};

function flagLines(table: FlagTable): string[] {
  const flags = Object.values(table).sort((a, b) => (a.name < b.name ? -1 : 1));
  return flags.map((flag) => `${flagName(flag)}:\n        ${flag.help}`);
}

/** What a command does, its examples and flags. */
export function commandHelp(program: string, { about, examples = [], flags, usage }: Command): string {
  const shown = examples.map(([does, line]) => `  # ${does}\n  ${program} ${line}`);
  const lines = flagLines(flags);
  return [
    about,
    ...(shown.length === 0 ? [] : ['', 'Examples:', shown.join('\n\n')]),
    ...(lines.length === 0 ? [] : ['', 'Options:', lines.join('\n\n')]),
    '',
    'Usage:',
    `  ${program} ${usage} [flags]`,
    '',
    `Use "${program} options" for the flags of all commands.`,
    '',
  ].join('\n');
}

export const globalHelp = (flags: FlagTable): string =>
  `The following flags can be given to any command:\n\n${flagLines(flags).join('\n\n')}\n`;

/** The commands whose words begin with some, or all of them. */
export function tableHelp(program: string, table: CommandTable, under = ''): string {
  const names = Object.keys(table)
    .filter((name) => !table[name]?.isHidden && (under === '' || name.startsWith(`${under} `)))
    .sort();
  const width = Math.max(0, ...names.map(({ length }) => length)) + 2;
  return [
    under === '' ? `${program} drives a control plane.` : `The commands of ${program} ${under}.`,
    '',
    'Available commands:',
    ...names.map((name) => `  ${name.padEnd(width)}${table[name]?.summary ?? ''}`),
    '',
    'Usage:',
    `  ${program} ${under === '' ? '' : `${under} `}COMMAND [flags]`,
    '',
  ].join('\n');
}
