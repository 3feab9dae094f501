import { choice, duration, list, optionalText, repeated } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { createMade, GENERATOR_FLAGS, type MadeObject, required } from './create/generating.ts';
import { labelPairs } from './create/label-pairs.ts';
import { OVERRIDE_FLAGS, overridden } from './create/overrides.ts';
import { DELETION_FLAGS } from './delete/deletion-flags.ts';

const SEE = "\nSee 'platformctl run -h' for help and examples";

export const run = command({
  usage:
    'run NAME --image=IMAGE [--env="KEY=VALUE"] [--port=PORT] [--overrides=JSON] [--command] -- [COMMAND] [ARGUMENTS...]',
  about: 'Creates a pod that runs an image.',
  examples: [
    ['A server', 'run web --image=nginx --port=80'],
    ['Something that ends', 'run once --image=busybox --restart=Never --command -- date'],
  ],
  flags: {
    ...GENERATOR_FLAGS,
    ...OVERRIDE_FLAGS,
    ...DELETION_FLAGS,
    image: optionalText('image', 'IMAGE', 'image that the container runs'),
    imagePullPolicy: optionalText('image-pull-policy', 'POLICY', 'when the image is fetched'),
    env: repeated('env', 'KEY=VALUE', 'an environment variable'),
    labels: short('l', optionalText('labels', 'LABELS', 'labels of the pod; run=NAME where they are absent')),
    annotations: list('annotations', 'KEY=VALUE', [], 'annotations of the pod'),
    port: optionalText('port', 'PORT', 'port that the container exposes'),
    command: onOff('command', false, 'what follows -- is the command, and not its arguments'),
    restart: choice('restart', ['Always', 'OnFailure', 'Never'], 'Always', 'whether the container is started again'),
    expose: onOff('expose', false, 'also create a service for the port'),
    privileged: onOff('privileged', false, 'run the container with all rights of the node'),
    stdin: short('i', onOff('stdin', false, 'keep standard input of the container open')),
    tty: short('t', onOff('tty', false, 'give the container a terminal')),
    attach: onOff('attach', false, 'wait for the pod, and attach to it'),
    leaveStdinOpen: onOff('leave-stdin-open', false, 'keep standard input open after the first to attach has gone'),
    rm: onOff('rm', false, 'delete the pod after an attached session'),
    quiet: short('q', onOff('quiet', false, 'say nothing but what the pod does')),
    podRunningTimeout: duration('pod-running-timeout', 60_000, 'how long to wait for the pod to run'),
  },
  async run({ args, flags, session, afterDash = [], isGiven }) {
    const [name = ''] = args;
    if (name === '') throw new CommandError(`NAME is required for run${SEE}`);
    const image = required('image', flags.image);
    if (flags.expose && flags.port === undefined)
      throw new CommandError(`--port must be set when exposing a service${SEE}`);
    if (flags.rm && !flags.attach && !flags.stdin) {
      throw new CommandError('--rm should only be used for attached containers');
    }
    const command = [...args.slice(1), ...afterDash];
    const namespace = await session.namespace();
    const labels = flags.labels === undefined ? { run: name } : labelPairs(flags.labels);
    const meta = { name, ...(namespace.isGiven ? { namespace: namespace.name } : {}), creationTimestamp: null };
    if (flags.expose) {
      await createMade(session, serviceFor(meta, labels, flags.port ?? ''), flags, 'platformctl-run');
    }
    const pod = podOf({ meta, labels, image, command, flags });
    const create = (): Promise<void> => createMade(session, overridden(pod, flags), flags, 'platformctl-run');
    const isAttached = isGiven('attach') ? flags.attach : flags.stdin;
    if (!isAttached || flags.dryRun !== 'none') return create();
    const { runAttached } = await import('./run-attached.ts');
    const { stdin, tty, quiet, rm, podRunningTimeout: timeoutMs } = flags;
    await runAttached(session, { name, stdin, tty, quiet, rm, endsOnce: flags.restart === 'Never', timeoutMs }, create);
  },
});

interface PodParts {
  readonly meta: MadeObject['metadata'];
  readonly labels: Readonly<Record<string, string>>;
  readonly image: string;
  readonly command: readonly string[];
  readonly flags: {
    readonly env: readonly string[];
    readonly annotations: readonly string[];
    readonly command: boolean;
    readonly port: string | undefined;
    readonly imagePullPolicy: string | undefined;
    readonly stdin: boolean;
    readonly tty: boolean;
    readonly leaveStdinOpen: boolean;
    readonly privileged: boolean;
    readonly restart: string;
  };
}

/** Fields in the order of the original. */
function podOf({ meta, labels, image, command: words, flags }: PodParts): MadeObject {
  const env = flags.env.map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new CommandError(`invalid env: ${pair}`);
    return { name: pair.slice(0, equals), value: pair.slice(equals + 1) };
  });
  const annotations = flags.annotations.length > 0 ? { annotations: labelPairs(flags.annotations.join(',')) } : {};
  const container = {
    name: meta.name,
    image,
    ...(words.length > 0 ? { [flags.command ? 'command' : 'args']: words } : {}),
    ...(flags.port === undefined ? {} : { ports: [{ containerPort: portNumber(flags.port) }] }),
    ...(env.length > 0 ? { env } : {}),
    resources: {},
    ...(flags.imagePullPolicy === undefined ? {} : { imagePullPolicy: flags.imagePullPolicy }),
    ...(flags.privileged ? { securityContext: { privileged: true } } : {}),
    ...(flags.stdin ? { stdin: true } : {}),
    ...(flags.stdin && !flags.leaveStdinOpen ? { stdinOnce: true } : {}),
    ...(flags.tty ? { tty: true } : {}),
  };
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { ...meta, labels, ...annotations },
    spec: { containers: [container], restartPolicy: flags.restart, dnsPolicy: 'ClusterFirst' },
    status: {},
  } as MadeObject;
}

function portNumber(given: string): number {
  if (/^\d{1,5}$/.test(given)) return Number(given);
  throw new CommandError(`invalid port ${JSON.stringify(given)}: a whole number is expected`);
}

const serviceFor = (meta: MadeObject['metadata'], labels: Readonly<Record<string, string>>, port: string): MadeObject =>
  ({
    kind: 'Service',
    apiVersion: 'v1',
    metadata: meta,
    spec: {
      ports: [{ protocol: 'TCP', port: portNumber(port), targetPort: portNumber(port) }],
      selector: labels,
    },
    status: { loadBalancer: {} },
  }) as MadeObject;
