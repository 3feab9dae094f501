import { duration, text } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { findPod } from '../streaming/find-pods.ts';
import { demandRunning, getsTerminal, joinProcess } from '../streaming/joined-process.ts';
import { chosenContainer } from '../streaming/pod.ts';
import { podStreams } from '../streaming/streams-of.ts';
import { wrongUsage } from '../streaming/wrong-usage.ts';

export const exec = command({
  usage: 'exec (POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]',
  about: 'Runs a command in a container, and ends with its exit code.',
  examples: [
    ['Run a command in the first container of a pod', 'exec web -- date'],
    ['Use a shell in a container', 'exec web -c main -i -t -- sh'],
    ['In the first pod of a Deployment', 'exec deploy/web -- date'],
  ],
  flags: {
    container: short('c', text('container', 'NAME', '', 'container to run the command in')),
    stdin: short('i', onOff('stdin', false, 'pass standard input to the command')),
    tty: short('t', onOff('tty', false, 'give the command a terminal')),
    quiet: short('q', onOff('quiet', false, 'print nothing but what the command does')),
    podRunningTimeout: duration('pod-running-timeout', 60_000, 'how long to wait until a pod runs'),
  },
  async run({ flags, args, afterDash = [], session }) {
    const [word, ...rest] = args;
    if (word === undefined) throw new CommandError('pod, type/name or --filename must be specified');
    if (rest.length > 0) {
      throw wrongUsage('exec', 'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead');
    }
    if (afterDash.length === 0) throw new CommandError('you must specify at least one command for the container');
    const pod = await findPod(word, session, flags.podRunningTimeout);
    demandRunning(pod, 'exec into');
    // Whether a container of that name is there is the plane's to say.
    const container = flags.container || (await chosenContainer(pod, '', session, flags.quiet)).name;
    const { namespace = '', name = '' } = pod.metadata;
    const streams = await podStreams(session);
    const tty = await getsTerminal(flags, session);
    await joinProcess(flags, tty, session, (local) => streams.exec({ namespace, name, container }, afterDash, local));
  },
});
