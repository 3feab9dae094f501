import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadClientConfig } from '../outbound/config.ts';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';
import { asksForHelp, readTable, tableHelp } from '../settings/command-line.ts';
import { choice, duration, optionalText, UsageError } from '../settings/flag.ts';
import { FLAGS } from '../settings/settings.ts';
import { directoryFindings } from './doctor/directory-checks.ts';
import { type Finding, isSound, json, page, problem } from './doctor/finding.ts';
import { planeFindings } from './doctor/plane-checks.ts';

const DOCTOR_FLAGS = {
  dataDir: optionalText('data-dir', 'DIRECTORY', `data directory to look at; by default ${FLAGS.dataDir.fallback}`),
  kubeconfig: optionalText('kubeconfig', 'FILE', 'client configuration of a plane to look at instead'),
  sample: duration('sample', 2_000, 'how long it is watched who writes'),
  output: choice('output', ['text', 'json'], 'text', 'for people or for programs; also -o'),
} as const;

const usage = (): string => `usage: platform-apiserver doctor [--data-dir=DIRECTORY | --kubeconfig=FILE] [-o text|json]

Looks at the store, certificates, disk and clock of a data directory, and at the plane on it while it runs: health,
APIServices, webhooks, and who writes all the time. Says what to do about what is not in order. Ends with 1 when
something is not.

${tableHelp(DOCTOR_FLAGS)}`;

const LONGEST_SAMPLE_MS = 600_000;

/** `platform-apiserver doctor …`. Throws an Error of one clear line when the command line is wrong. */
export async function doctor(
  args: readonly string[],
  runtime: Runtime = systemRuntime,
): Promise<string | { readonly output: string; readonly exitCode: number }> {
  if (asksForHelp(args)) return usage();
  const line = args.map((argument) => argument.replace(/^-o(?==|$)/, '--output'));
  const { dataDir, kubeconfig, sample, output } = readTable(DOCTOR_FLAGS, line);
  if (dataDir !== undefined && kubeconfig !== undefined) {
    throw new UsageError('doctor looks at one thing: --data-dir or --kubeconfig');
  }
  if (sample > LONGEST_SAMPLE_MS) throw new UsageError('--sample must be at most 10m');
  // Timers of the runtime do not keep the process.
  const alive = setInterval(() => {}, LONGEST_SAMPLE_MS);
  try {
    const findings =
      kubeconfig === undefined
        ? await examineDirectory(dataDir ?? FLAGS.dataDir.fallback, runtime, sample)
        : await planeFindings(await loadClientConfig(kubeconfig), runtime, sample);
    return { output: (output === 'json' ? json : page)(findings), exitCode: isSound(findings) ? 0 : 1 };
  } finally {
    clearInterval(alive);
  }
}

/** A server that runs there is asked as well; that none does is nothing wrong. */
async function examineDirectory(dataDir: string, runtime: Runtime, sample: number): Promise<readonly Finding[]> {
  const own = await directoryFindings(dataDir, runtime);
  const file = join(dataDir, 'admin.conf');
  const hasConfig = await stat(file).then(
    () => true,
    () => false,
  );
  if (!hasConfig) return own;
  try {
    const asked = await planeFindings(await loadClientConfig(file), runtime, sample);
    const isRunning = !asked.some(({ subject }) => subject === 'connection');
    return [...own, ...(isRunning ? asked : [NOT_RUNNING])];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [...own, problem('connection', why, 'delete admin.conf and start the server again: it writes a new one')];
  }
}

const NOT_RUNNING: Finding = {
  subject: 'connection',
  level: 'ok',
  message: 'no server answers at the address in admin.conf: only files were looked at',
};
