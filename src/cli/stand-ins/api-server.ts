import { standardLogger } from '../../observe/logging/logger.ts';
import { type Runtime, systemRuntime } from '../../runtime/runtime.ts';
import { asksForHelp, helpText } from '../../settings/command-line.ts';
import { readConfiguredLine } from '../../settings/config-file.ts';
import { optionalText } from '../../settings/flag.ts';
import type { Settings } from '../../settings/settings.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { isStandIn } from './etcd-behind.ts';
import { servingFilesIn } from './serving-files.ts';

const { components, product } = vocabularies.kubernetes;
const NAME = components.apiserver;

/** What this is started under. Its flags are those of the server, and where certificates are that nobody named. */
const FLAGS = {
  certDir: optionalText('cert-dir', 'DIRECTORY', 'where the serving certificate is, or is put when there is none'),
} as const;

const DEFAULTS: Partial<Settings> = { storage: 'memory', vocabulary: 'kubernetes' };

/**
 * What tools start as the API server that start it and an etcd themselves. Beside an etcd that is a stand-in too, objects
 * are in memory, and go with the process; any other etcd is used.
 */
async function run(args: readonly string[], runtime: Runtime): Promise<void> {
  if (asksForHelp(args)) {
    process.stdout.write(helpText());
    return;
  }
  if (args.includes('--version')) {
    const { versionInfo } = await import('../../discovery/version.ts');
    process.stdout.write(`${product.name} ${versionInfo.gitVersion}\n`);
    return;
  }
  const { settings, warnings, given, also } = await readConfiguredLine(args, { defaults: DEFAULTS, also: FLAGS });
  for (const warning of warnings) process.stderr.write(`${NAME}: ${warning}\n`);
  const { startServer } = await import('../../server/server.ts');
  const logger = standardLogger({ verbosity: settings.v, format: settings.logFormat ?? settings.loggingFormat });
  const { dataDir, ...rest } = await storedWhere(servedWith(settings, also.certDir, runtime));
  const server = await startServer({ ...rest, ...(given.has('dataDir') && { dataDir }), logger });
  const stop = async (): Promise<void> => {
    await server.close();
    await logger.flush();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().catch(fail));
  process.stderr.write(`${NAME}: a stand-in by platform-apiserver, at ${server.url}\n`);
}

/** A folder of certificates is looked into only where no certificate is named. */
function servedWith(settings: Settings, certDir: string | undefined, runtime: Runtime): Settings {
  if (certDir === undefined || settings.tlsCertFile !== undefined) return settings;
  return { ...settings, ...servingFilesIn(certDir, settings, runtime) };
}

async function storedWhere(settings: Settings): Promise<Settings> {
  const [first] = settings.etcdServers;
  return first !== undefined && (await isStandIn(first)) ? { ...settings, etcdServers: [] } : settings;
}

function fail(error: Error): void {
  process.stderr.write(`${NAME}: ${error.message}\n`);
  process.exit(1);
}

run(process.argv.slice(2), systemRuntime).catch(fail);
