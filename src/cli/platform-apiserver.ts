#!/usr/bin/env node
import { relative } from 'node:path';
import { standardLogger } from '../logging.ts';
import type { Server } from '../server.ts';
import { helpText, readSettings, type Settings, storageOf } from '../settings.ts';

/** Where objects are, when that is not the data directory. */
const OBJECTS: Readonly<Record<Settings['storage'], string>> = {
  lmdb: '',
  memory: ' (objects in memory only)',
  etcd: ' (objects in etcd)',
};

/** What a person wants to know first. */
function welcome({ url, adminConfigFile = '' }: Server, settings: Settings): string {
  const { dataDir } = settings;
  const config = relative(process.cwd(), adminConfigFile) || adminConfigFile;
  return [
    `platform-apiserver is ready at ${url}`,
    `  data directory       ${dataDir}${OBJECTS[storageOf(settings)]}`,
    `  admin configuration  ${config}`,
    `  try                  curl --cacert ${dataDir}/pki/ca.crt --cert ${dataDir}/pki/admin.crt --key ${dataDir}/pki/admin.key ${url}/api/v1/namespaces`,
    '',
  ].join('\n');
}

/** What the program can do besides serving, by its first word. Loaded when asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<string>>>> = {
  migrate: async () => (await import('./migrate.ts')).migrate,
  snapshot: async () => (await import('./snapshot.ts')).snapshot,
};

async function run(args: readonly string[]): Promise<void> {
  const [word = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
  if (command) {
    process.stdout.write(await (await command())(rest));
    return;
  }
  if (args.includes('--help')) {
    process.stdout.write(helpText());
    return;
  }
  return serve(args);
}

async function serve(args: readonly string[]): Promise<void> {
  const settings = readSettings(args);
  // Loaded this late, so that help and wrong flags are answered at once.
  const { startServer } = await import('../server.ts');
  const server = await startServer({ ...settings, logger: standardLogger(settings.v) });
  process.stdout.write(welcome(server, settings));
  const stop = (): void => {
    server.close().then(
      () => process.exit(0),
      (error: Error) => fail(error),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function fail(error: Error): never {
  process.stderr.write(`platform-apiserver: ${error.message}\n`);
  process.exit(1);
}

run(process.argv.slice(2)).catch(fail);
