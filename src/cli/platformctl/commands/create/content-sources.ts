import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { list, repeated } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff } from '../../frame/flags.ts';
import type { Io } from '../../frame/io.ts';
import { compactJsonText } from '../../print/json-text.ts';

/** Flags that say what a config map or a secret holds. */
export const CONTENT_FLAGS = {
  fromLiteral: repeated('from-literal', 'KEY=VALUE', 'a key and its value'),
  fromFile: list('from-file', '[KEY=]FILE', [], 'a file, or all files of a folder; the key is the name unless given'),
  fromEnvFile: list('from-env-file', 'FILE', [], 'a file with a KEY=VALUE a line'),
  appendHash: onOff('append-hash', false, 'append a hash of the content to the name'),
};

interface ContentFlags {
  readonly fromLiteral: readonly string[];
  readonly fromFile: readonly string[];
  readonly fromEnvFile: readonly string[];
}

/** More than any plane stores. */
const MOST_BYTES = 8 * 2 ** 20;
const KEY = /^[-._a-zA-Z0-9]+$/;

/** Content by its key, sorted; `what` names the kind in messages. */
export async function contentOf(flags: ContentFlags, what: string, io: Io): Promise<ReadonlyMap<string, Buffer>> {
  if (flags.fromEnvFile.length > 0 && (flags.fromFile.length > 0 || flags.fromLiteral.length > 0)) {
    throw new CommandError('from-env-file cannot be combined with from-file or from-literal');
  }
  const found = new Map<string, Buffer>();
  const add = (key: string, value: Buffer): void => {
    if (!KEY.test(key) || key.length > 253) {
      throw new CommandError(
        `${JSON.stringify(key)} is not a valid key name for a ${what}: a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
      );
    }
    if (found.has(key)) {
      throw new CommandError(`cannot add key ${key}, another key by that name already exists in Data for ${what}`);
    }
    found.set(key, value);
  };
  for (const source of flags.fromFile)
    for (const [key, file] of await filesOf(source, io)) add(key, await content(file));
  for (const literal of flags.fromLiteral) add(...literalPair(literal));
  for (const file of flags.fromEnvFile) for (const pair of await variablesIn(file, io)) add(...pair);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function literalPair(literal: string): [string, Buffer] {
  const equals = literal.indexOf('=');
  if (equals < 1) throw new CommandError(`invalid literal source ${literal}, expected key=value`);
  return [literal.slice(0, equals), Buffer.from(literal.slice(equals + 1))];
}

/** The files that a source names, with their keys. Of a folder these are its files whose names can be keys. */
async function filesOf(source: string, io: Io): Promise<[key: string, file: string][]> {
  const [first = '', second, ...more] = source.split('=');
  if (more.length > 0) throw new CommandError("key names or file paths cannot contain '='");
  if (second === '') throw new CommandError(`file path for key name ${first} missing`);
  if (second !== undefined && first === '') throw new CommandError(`key name for file path ${second} missing`);
  const name = second ?? first;
  const path = resolve(io.cwd, name);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new CommandError(`error reading ${name}: no such file or directory`);
    throw new CommandError(`error reading ${name}: ${error.message}`);
  });
  if (!found.isDirectory()) return [[second === undefined ? basename(name) : first, path]];
  if (second !== undefined) throw new CommandError('cannot give a key name for a directory path');
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && KEY.test(entry.name))
    .map((entry): [string, string] => [entry.name, join(path, entry.name)])
    .sort();
}

async function content(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > MOST_BYTES) throw new CommandError(`${file} has ${size} bytes; more than ${MOST_BYTES} are not read`);
  return readFile(file);
}

/** A line without an equals sign takes the value from the environment. */
async function variablesIn(file: string, io: Io): Promise<[string, Buffer][]> {
  const text = (await content(resolve(io.cwd, file))).toString('utf8').replace(/^\ufeff/, '');
  return text
    .split(/\r?\n/)
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, Buffer] => {
      const [, key = line, value = io.env[line] ?? ''] = /^([^=]*)=(.*)$/s.exec(line) ?? [];
      return [key, Buffer.from(value)];
    });
}

/** Letters for those hexadecimal digits that could spell words or be mistaken. */
const LETTERS: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };

/** `name-hash`, where the hash tells apart objects with other content. */
export function hashedName(name: string, identity: object): string {
  const digest = createHash('sha256').update(compactJsonText(identity)).digest('hex').slice(0, 10);
  return `${name}-${[...digest].map((digit) => LETTERS[digit] ?? digit).join('')}`;
}
