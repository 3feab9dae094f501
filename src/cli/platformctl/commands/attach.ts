import { duration, text } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import { findPod } from '../streaming/find-pods.ts';
import { demandRunning, getsTerminal, joinProcess } from '../streaming/joined-process.ts';
import { allContainers, chosenContainer } from '../streaming/pod.ts';
import { podStreams } from '../streaming/streams-of.ts';

export const attach = command({
  usage: 'attach (POD | TYPE/NAME) -c CONTAINER',
  about: 'Joins the process that a container was started with.',
  examples: [
    ['See what the first container of a pod writes', 'attach web'],
    ['Use the terminal that a container was started with', 'attach web -c main -i -t'],
  ],
  flags: {
    container: short('c', text('container', 'NAME', '', 'container to join')),
    stdin: short('i', onOff('stdin', false, 'pass standard input to the process')),
    tty: short('t', onOff('tty', false, 'standard input is a terminal')),
    quiet: short('q', onOff('quiet', false, 'print nothing but what the process does')),
    podRunningTimeout: duration('pod-running-timeout', 60_000, 'how long to wait until a pod runs'),
  },
  async run({ flags, args, session }) {
    const [word, ...rest] = args;
    if (word === undefined) throw new CommandError('at least 1 argument is required for attach');
    if (rest.length > 0) throw new CommandError('expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments)');
    const pod = await findPod(word, session, flags.podRunningTimeout);
    demandRunning(pod, 'attach');
    const container = flags.container
      ? allContainers(pod).find(({ name }) => name === flags.container)
      : await chosenContainer(pod, '', session, flags.quiet);
    if (!container) {
      const where = `container ${flags.container} not found in pod ${pod.metadata.name}`;
      throw new CommandError(`cannot attach to the container: ${where}`);
    }
    const { stderr } = session.io;
    const wanted = { ...flags, tty: flags.tty && container.tty === true };
    if (flags.tty && !wanted.tty && !flags.quiet) {
      await write(stderr, `error: Unable to use a TTY - container ${container.name} did not allocate one\n`);
    }
    const tty = await getsTerminal(wanted, session);
    const isShown = flags.stdin && tty && !flags.quiet;
    if (isShown) await write(stderr, "If you don't see a command prompt, try pressing enter.\n");
    const { namespace = '', name = '' } = pod.metadata;
    const streams = await podStreams(session);
    const target = { namespace, name, container: container.name };
    await joinProcess(flags, tty, session, (local) => streams.attach(target, local));
    if (isShown) {
      const again = `platformctl attach ${name} -c ${container.name} -i -t`;
      await write(stderr, `Session ended, resume using '${again}' command when the pod is running\n`);
    }
  },
});
