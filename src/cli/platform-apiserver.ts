#!/usr/bin/env node
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../api/release.ts';
import { makeAllYoung } from '../bounds/engine.ts';
import { standardLogger } from '../observe/logging/logger.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import type { Server } from '../server/server.ts';
import { asksForHelp } from '../settings/command-line.ts';
import { readConfiguredLine, writeConfig } from '../settings/config-file.ts';
import { type Settings, storageOf } from '../settings/settings.ts';

/** Where objects are, when that is not the data directory. */
const OBJECTS: Readonly<Record<Settings['storage'], string>> = {
  lmdb: '',
  memory: ' (objects in memory only)',
  etcd: ' (objects in etcd)',
};

/** What a person wants to know first. Paths are absolute: they may be wanted in another terminal. */
function welcome(server: Server, settings: Settings): string {
  const { url, adminConfigFile = '' } = server;
  const dataDir = resolve(settings.dataDir);
  const pki = (name: string): string => shellWord(resolve(dataDir, 'pki', name));
  const credentials = `--cacert ${pki('ca.crt')} --cert ${pki('admin.crt')} --key ${pki('admin.key')}`;
  return [
    `platform-apiserver is ready at ${url}`,
    `  data directory       ${dataDir}${OBJECTS[storageOf(settings)]}`,
    `  admin configuration  ${resolve(adminConfigFile)}`,
    `  try                  curl ${credentials} ${url}/api/v1/namespaces`,
    ...consoleLine(server, settings),
    '',
  ].join('\n');
}

/** Whoever reads a terminal may be logged in by what it shows. Other readers keep what they read. */
function consoleLine(server: Server, { enableConsole }: Settings): readonly string[] {
  if (!enableConsole) return [];
  const isSeen = process.stdout.isTTY === true;
  return [`  console              ${(isSeen ? server.consoleLogin() : undefined) ?? `${server.url}/console`}`];
}

/** A text as a shell takes it for one word. */
const shellWord = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** What a command has to say, and the code that the process ends with; a text alone means 0. */
type Outcome = string | { readonly output: string; readonly exitCode: number };

/** Executables that stand in for others; beside this file where it is built. */
const STAND_INS = fileURLToPath(new URL('../stand-ins', import.meta.url));

/** What the program can do besides serving, by its first word. Loaded when asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<Outcome>>>> = {
  compact: async () => (await import('./compact.ts')).compact,
  controllers: async () => (await import('./controllers.ts')).controllers,
  doctor: async () => (await import('./doctor.ts')).doctor,
  migrate: async () => (await import('./migrate.ts')).migrate,
  'migrate-storage': async () => (await import('./migrate-storage.ts')).migrateStorage,
  replay: async () => (await import('./replay.ts')).replay,
  snapshot: async () => (await import('./snapshot.ts')).snapshot,
  test: async () => {
    const { test } = await import('./test.ts');
    return (args) => test(args, STAND_INS);
  },
};

async function run(args: readonly string[]): Promise<void> {
  const [word = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (command) end(await (await command())(rest));
  else if (asksForHelp(args)) process.stdout.write((await import('./help.ts')).help());
  else if (args.includes('--version')) process.stdout.write(`platform-apiserver ${VERSION}\n`);
  else await serve(args);
}

function end(outcome: Outcome): void {
  const { output, exitCode } = typeof outcome === 'string' ? { output: outcome, exitCode: 0 } : outcome;
  process.stdout.write(output);
  process.exitCode = exitCode;
}

async function serve(args: readonly string[]): Promise<void> {
  const { settings, warnings, isToPrint } = await readConfiguredLine(args);
  for (const warning of warnings) process.stderr.write(`platform-apiserver: ${warning}\n`);
  if (isToPrint) {
    process.stdout.write(await writeConfig(settings));
    return;
  }
  makeAllYoung();
  // Loaded this late, so that wrong flags are answered at once.
  const { startServer } = await import('../server/server.ts');
  const logger = standardLogger({ verbosity: settings.v, format: settings.logFormat ?? settings.loggingFormat });
  // Its clock begins with the process.
  logger.stage?.({ stage: 'load', milliseconds: Math.round(systemRuntime.monotonic() * 10) / 10 }, 'start');
  const server = await startServer({ ...settings, logger });
  const { keepHeapSmall } = await import('../bounds/memory-guard.ts');
  keepHeapSmall();
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    await server.close();
    await logger.flush();
    process.stdout.write(`platform-apiserver has stopped (${signal})\n`);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(signal).catch(fail));
  // Last: whoever has read it may end the server.
  process.stdout.write(welcome(server, settings));
}

function fail(error: Error): never {
  process.stderr.write(`platform-apiserver: ${error.message}\n`);
  process.exit(1);
}

run(process.argv.slice(2)).catch(fail);
