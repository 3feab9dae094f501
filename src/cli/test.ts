import { standardLogger } from '../observe/logging/logger.ts';
import type { Server } from '../server/server.ts';
import { asksForHelp, tableHelp } from '../settings/command-line.ts';
import { readConfiguredLine, writeConfig } from '../settings/config-file.ts';
import { boolean, optionalText, UsageError } from '../settings/flag.ts';
import type { Settings } from '../settings/settings.ts';
import { ChildCommand } from './testing/child-command.ts';
import { refuseForeign, writePlaneConfig } from './testing/plane-config.ts';
import { testEnvironment } from './testing/test-environment.ts';

const TEST_FLAGS = {
  kubeconfigOut: optionalText(
    'kubeconfig-out',
    'FILE',
    'where the client configuration is while the command runs; by default in a temporary directory',
  ),
  printAssets: boolean('print-assets', false, 'show the folder of executables that stand in for others, and end'),
} as const;

const usage = (): string => `usage: platform-apiserver test [flags] [--kubeconfig-out=FILE] -- COMMAND [ARGUMENTS]
       platform-apiserver test --print-assets

Starts a plane in memory on a free port, runs the command with variables that say where the plane is, ends the plane, and
ends with the code of the command. The names are those of --vocabulary=kubernetes unless told otherwise: what is tested
is mostly made for them. All other flags are those of the server.

${tableHelp(TEST_FLAGS)}`;

/** A plane for one command. Tools that people test with know one of the two vocabularies. */
const DEFAULTS: Partial<Settings> = { storage: 'memory', securePort: 0, vocabulary: 'kubernetes' };

type Outcome = string | { readonly output: string; readonly exitCode: number };

/** `platform-apiserver test …`. `standIns` is a folder of executables. Throws an Error of one clear line. */
export async function test(args: readonly string[], standIns: string): Promise<Outcome> {
  const border = args.indexOf('--');
  const [own, command] = border < 0 ? [args, []] : [args.slice(0, border), args.slice(border + 1)];
  if (asksForHelp(own)) return usage();
  const { settings, warnings, given, isToPrint, also } = await readConfiguredLine(own, {
    defaults: DEFAULTS,
    also: TEST_FLAGS,
  });
  if (also.printAssets) return `${standIns}\n`;
  for (const warning of warnings) process.stderr.write(`platform-apiserver: ${warning}\n`);
  if (isToPrint) return writeConfig(settings);
  if (command.length === 0) throw new UsageError('test needs a command behind --; test --help tells more');
  if (also.kubeconfigOut !== undefined) await refuseForeign(also.kubeconfigOut);
  const child = new ChildCommand();
  try {
    const server = await startPlaneFor(settings, given.has('dataDir'));
    const exitCode = await runWith(server, child, command, also.kubeconfigOut, standIns).finally(() => server.close());
    return { output: '', exitCode };
  } finally {
    child.close();
  }
}

/** Without a data directory nothing is left on disk. */
async function startPlaneFor({ dataDir, ...settings }: Settings, isKept: boolean): Promise<Server> {
  const { startServer } = await import('../server/server.ts');
  const logger = standardLogger({ verbosity: settings.v, format: settings.logFormat ?? settings.loggingFormat });
  const isOnDisk = isKept || settings.storage === 'lmdb';
  return startServer({ ...settings, ...(isOnDisk && { dataDir }), logger });
}

async function runWith(
  server: Server,
  child: ChildCommand,
  command: readonly string[],
  wanted: string | undefined,
  standIns: string,
): Promise<number> {
  const config = await writePlaneConfig(server.adminConfig, wanted);
  try {
    return await child.run(command, { ...process.env, ...testEnvironment(config.file, standIns) });
  } finally {
    await config.remove();
  }
}
