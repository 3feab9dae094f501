import { ApiError } from '../../../api/errors.ts';
import type { LogOptions, PodStreams } from '../../../client/streams/pod-streams.ts';
import { duration, integer, text, UsageError } from '../../../settings/flag.ts';
import { command, type Invocation } from '../frame/command.ts';
import { CommandError, failureText } from '../frame/failure.ts';
import { onOff, type ShellFlag, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { awaitPods, findObject, isNamedObject, selectedPods, tellChoice } from '../streaming/find-pods.ts';
import { copyLog, LinePrefix } from '../streaming/log-lines.ts';
import { allContainers, chosenContainer, type Pod } from '../streaming/pod.ts';
import { podStreams } from '../streaming/streams-of.ts';
import { wrongUsage } from '../streaming/wrong-usage.ts';

const MOST_LINES = Number.MAX_SAFE_INTEGER;
/** How much of each pod is shown where several are asked for. */
const TAIL_OF_MANY = 10;

/** `-1` is all of them. */
const lineCount = (name: string, help: string): ShellFlag<number> => ({
  ...integer(name, 0, MOST_LINES, -1, help),
  read(given) {
    if (!/^-?\d{1,15}$/.test(given)) throw new UsageError(`invalid argument "${given}" for "--${name}" flag`);
    return Number(given);
  },
});

const FLAGS = {
  follow: short('f', onOff('follow', false, 'go on with what is written from now on')),
  previous: short('p', onOff('previous', false, 'of the run of the container before its last restart')),
  container: short('c', text('container', 'NAME', '', 'container to look at')),
  allContainers: onOff('all-containers', false, 'of all containers of the pods'),
  allPods: onOff('all-pods', false, 'of all pods of what is named; tells which pod each line is of'),
  prefix: onOff('prefix', false, 'tell before each line which pod and container wrote it'),
  selector: short('l', text('selector', 'SELECTOR', '', 'of all pods whose labels match')),
  since: duration('since', 0, 'what was written in so much time, such as 5s, 2m or 3h'),
  sinceTime: text('since-time', 'TIME', '', 'what was written after a time (RFC 3339)'),
  tail: lineCount('tail', `the last so many lines; all when -1, and ${TAIL_OF_MANY} of each pod with a selector`),
  limitBytes: integer('limit-bytes', 0, MOST_LINES, 0, 'so many bytes at most; all when 0'),
  timestamps: onOff('timestamps', false, 'tell before each line when it was written'),
  ignoreErrors: onOff('ignore-errors', false, 'go on with the others when a log cannot be read'),
  maxLogRequests: integer('max-log-requests', 1, 10_000, 5, 'how many logs are followed at once'),
  podRunningTimeout: duration('pod-running-timeout', 20_000, 'how long to wait until a pod runs'),
  insecureSkipTlsVerifyBackend: onOff('insecure-skip-tls-verify-backend', false, 'do not check who the node is'),
} as const;

const USAGE = 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]';

type LogsInvocation = Invocation<typeof FLAGS>;

export const logs = command({
  usage: USAGE,
  about: 'Shows what a container has written. A container need not be named where a pod has only one.',
  examples: [
    ['What the only container of a pod has written', 'logs web'],
    ['Of all containers of all pods with a label', 'logs -l app=web --all-containers'],
    ['Go on with what is written', 'logs -f web -c main'],
    ['The last twenty lines', 'logs --tail=20 web'],
    ['Of the first pod of a Deployment', 'logs deployment/web'],
  ],
  flags: FLAGS,
  async run(invocation) {
    const { session } = invocation;
    const options = optionsOf(invocation);
    const sources = await sourcesOf(invocation);
    const streams = await podStreams(session);
    const { follow, maxLogRequests } = invocation.flags;
    if (!follow) {
      for (const source of sources) await showLog(streams, source, options, invocation);
      return;
    }
    if (sources.length > maxLogRequests) {
      throw new CommandError(
        `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${maxLogRequests}, use --max-log-requests to increase the limit`,
      );
    }
    await Promise.all(sources.map((source) => showLog(streams, source, options, invocation)));
  },
});

function optionsOf({ flags, isGiven, session, args }: LogsInvocation): LogOptions {
  const { follow, previous, timestamps, since, sinceTime, tail, limitBytes, selector } = flags;
  if (since > 0 && sinceTime !== '')
    throw new CommandError('at most one of `sinceTime` or `sinceSeconds` may be specified');
  if (sinceTime !== '' && Number.isNaN(Date.parse(sinceTime))) {
    throw new CommandError(`parsing time "${sinceTime}" as "2006-01-02T15:04:05Z07:00": cannot parse`);
  }
  if (tail < -1) throw new CommandError('--tail must be greater than or equal to -1');
  const ofMany = selector !== '' && args.length === 0 && !isGiven('tail') && !follow;
  const lines = ofMany ? TAIL_OF_MANY : tail;
  return {
    ...{ follow, previous, timestamps, signal: session.io.interrupted },
    sinceSeconds: since > 0 ? Math.ceil(since / 1000) : undefined,
    sinceTime: sinceTime === '' ? undefined : new Date(sinceTime).toISOString().replace('.000Z', 'Z'),
    tailLines: lines < 0 ? undefined : lines,
    limitBytes: limitBytes === 0 ? undefined : limitBytes,
    insecureSkipTLSVerifyBackend: flags.insecureSkipTlsVerifyBackend,
  };
}

interface LogSource {
  readonly pod: Pod;
  readonly container: string;
  /** Which of all sources it is, for its colour. */
  readonly number: number;
}

/** The containers whose logs are shown, in order. */
async function sourcesOf(invocation: LogsInvocation): Promise<LogSource[]> {
  const { session, flags, args } = invocation;
  const [, named = ''] = args;
  if (named !== '' && flags.container !== '') {
    throw wrongUsage('logs', 'only one of -c or an inline [CONTAINER] arg is allowed');
  }
  const pods = await chosenPods(invocation);
  const found: Omit<LogSource, 'number'>[] = [];
  for (const pod of pods) {
    if (flags.allContainers) for (const { name } of allContainers(pod)) found.push({ pod, container: name });
    else found.push({ pod, container: (await chosenContainer(pod, named || flags.container, session)).name });
  }
  return found.map((source, number) => ({ ...source, number }));
}

async function chosenPods({ args, session, flags }: LogsInvocation): Promise<readonly Pod[]> {
  const { selector, allContainers: all, container, allPods } = flags;
  const [word, named = ''] = args;
  if (all && (container !== '' || named !== ''))
    throw new CommandError('--all-containers=true should not be specified with container name');
  if (selector !== '') {
    if (word !== undefined) throw wrongUsage('logs', 'only a selector (-l) or a POD name is allowed');
    const { name } = await session.namespace();
    const pods = await selectedPods(await session.client(), name, selector);
    if (pods.length === 0) await write(session.io.stderr, `No resources found in ${name} namespace.\n`);
    return pods;
  }
  if (word === undefined || args.length > 2) {
    throw wrongUsage('logs', `expected '${USAGE}'.\nPOD or TYPE/NAME is a required argument for the logs command`);
  }
  const found = await findObject(word, session).catch((error: unknown) => tellNamespace(error, session));
  if (!isNamedObject(found)) return [found];
  const pods = await awaitPods(found, session, flags.podRunningTimeout);
  if (allPods) return pods;
  await tellChoice(pods, session);
  return pods.slice(0, 1);
}

/** That there is no such pod is told with where it was looked for. */
async function tellNamespace(error: unknown, session: Session): Promise<never> {
  if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
  const { name } = await session.namespace();
  throw new CommandError(`error from server (NotFound): ${error.message} in namespace "${name}"`);
}

async function showLog(
  streams: PodStreams,
  { pod, container, number }: LogSource,
  options: LogOptions,
  { flags, session }: LogsInvocation,
): Promise<void> {
  const { namespace = '', name = '' } = pod.metadata;
  const prefix =
    flags.prefix || flags.allPods ? new LinePrefix(`[pod/${name}/${container}] `, number, session.io) : undefined;
  try {
    const log = await streams.logs({ namespace, name, container }, options);
    await copyLog(log, session.io, prefix);
  } catch (error) {
    if (session.io.interrupted.aborted) return;
    if (!flags.ignoreErrors) throw error;
    await write(session.io.stdout, `${failureText(error, 'platformctl', 'logs').trimEnd()}\n`);
  }
}
