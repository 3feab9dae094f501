import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { ServiceAccountSigner } from '../authentication/service-account-signer.ts';
import { tokenKey } from '../authentication/token-keys.ts';
import { loadConnection } from '../client/config/load-connection.ts';
import { identityOf } from '../client/credentials/identity-of.ts';
import { chosenLoops, type GivenMaterials, LOOP_NAMES } from '../controllers/apart/chosen-loops.ts';
import { type Election, LoopsApart } from '../controllers/apart/loops-apart.ts';
import { StatusPort } from '../controllers/apart/status-port.ts';
import { SigningAuthorities } from '../controllers/certificates/signing-authorities.ts';
import { readLoopChoice } from '../controllers/loop-table.ts';
import { standardLogger } from '../observe/logging/logger.ts';
import { LoopMetrics } from '../observe/metrics/loop-metrics.ts';
import type { Connection } from '../outbound/config.ts';
import { readPrivateKey } from '../pki/keys.ts';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';
import { asksForHelp, readTable, tableHelp } from '../settings/command-line.ts';
import { CONTROLLERS_FLAGS, type ControllersSettings } from '../settings/controllers-flags.ts';
import { UsageError } from '../settings/flag.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';

const usage = (): string => `usage: platform-apiserver controllers --kubeconfig=FILE [flags]

Runs control loops in a process of their own, against a plane that does not run them itself (--controllers=-*). Of several
such processes one leads, and another when it is gone. The loops are ${LOOP_NAMES.join(', ')}.

${tableHelp(CONTROLLERS_FLAGS)}`;

/** Nothing else keeps the process while it waits to try again: timers of the runtime do not. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** `platform-apiserver controllers …`: runs until the process is told to end. Throws an Error of one clear line. */
export async function controllers(args: readonly string[], runtime: Runtime = systemRuntime): Promise<string> {
  if (asksForHelp(args)) return usage();
  const settings = readTable(CONTROLLERS_FLAGS, args);
  if (settings.kubeconfig === '') throw new UsageError('controllers needs --kubeconfig; controllers --help tells more');
  // Wrong names are answered before files are read.
  readLoopChoice(settings.controllers);
  const election = electionOf(settings, runtime);
  const vocabulary = vocabularies[settings.vocabulary];
  const connection = await connectionOf(settings);
  const identity = await identityOf(connection, {
    vocabularies: [vocabulary],
    runtime,
    environment: process.env,
    hasTerminal: false,
  });
  const signers = new SigningAuthorities(settings, vocabulary, undefined);
  const materials = await materialsOf(settings, connection, runtime);
  const loops = chosenLoops(settings.controllers, { ...materials, signers: signers.isEmpty ? undefined : signers });
  const logger = standardLogger({ verbosity: settings.v, format: settings.logFormat });
  const metrics = new LoopMetrics(runtime);
  const { metricsBindAddress: place } = settings;
  const status = place === undefined ? undefined : await StatusPort.open(place, metrics);
  const running = new LoopsApart({
    connection,
    identity,
    vocabulary,
    runtime,
    loops,
    asAccounts: settings.useServiceAccountCredentials,
    election,
    metrics,
    onError: (controller, key, error) => logger.warn({ controller, key, err: error }, 'a control loop will try again'),
  });
  const followed = signers.follow(runtime, (error) =>
    logger.error({ err: error }, 'a changed authority cannot be used for signing; the former one stays'),
  );
  const alive = setInterval(() => {}, LONGEST_TIMER_MS);
  process.stdout.write(`control loops at ${connection.server}: ${loops.map(({ name }) => name).join(', ')}\n`);
  if (status) process.stdout.write(`health and metrics at ${status.url}\n`);
  const signal = await new Promise<string>((resolve) => {
    for (const one of ['SIGINT', 'SIGTERM'] as const) process.once(one, resolve);
  });
  followed.close();
  await running.close();
  await status?.close();
  clearInterval(alive);
  await logger.flush();
  return `control loops have stopped (${signal})\n`;
}

/** Of the one file that is named. It has no terminal: nobody sits before a process that runs for months. */
const connectionOf = ({ kubeconfig, vocabulary }: ControllersSettings): Promise<Connection> =>
  loadConnection({
    explicitFile: kubeconfig,
    environment: {},
    homeDirectory: '',
    vocabularies: [vocabularies[vocabulary]],
  });

async function materialsOf(
  settings: ControllersSettings,
  connection: Connection,
  runtime: Runtime,
): Promise<Omit<GivenMaterials, 'signers'>> {
  const { rootCaFile, serviceAccountPrivateKeyFile: keyFile, terminatedPodGcThreshold } = settings;
  const vocabulary = vocabularies[settings.vocabulary];
  const key =
    keyFile === undefined ? undefined : tokenKey(readPrivateKey(await readFile(keyFile, 'utf8'), keyFile), keyFile);
  const signer = key && new ServiceAccountSigner({ key, issuer: '', audiences: [], runtime, vocabulary });
  return {
    rootCa: rootCaFile === undefined ? connection.ca : await readFile(rootCaFile, 'utf8'),
    terminatedPodThreshold: terminatedPodGcThreshold,
    signForSecret: signer && ((claims) => signer.signForSecret(claims)),
  };
}

function electionOf(settings: ControllersSettings, runtime: Runtime): Election | undefined {
  if (!settings.leaderElect) return undefined;
  const leaseMs = settings.leaderElectLeaseDuration;
  const termMs = settings.leaderElectRenewDeadline;
  const periodMs = settings.leaderElectRetryPeriod;
  if (!(leaseMs > termMs && termMs > periodMs && periodMs > 0)) {
    throw new UsageError(
      '--leader-elect-lease-duration must be above --leader-elect-renew-deadline, and that above --leader-elect-retry-period',
    );
  }
  const { components, namespaces } = vocabularies[settings.vocabulary];
  return {
    name: settings.leaderElectResourceName ?? components.controllerManager,
    namespace: settings.leaderElectResourceNamespace ?? namespaces.system,
    identity: `${hostname()}_${runtime.uuid()}`,
    times: { leaseMs, termMs, periodMs },
  };
}
