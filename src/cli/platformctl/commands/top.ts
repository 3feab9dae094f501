import type { AnyObject } from '../../../client/plane-client.ts';
import type { Node } from '../../../kinds/core/node/node.ts';
import { optionalChoice, optionalText } from '../../../settings/flag.ts';
import { Plane } from '../describe/plane.ts';
import { byText } from '../describe/texts.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { columnsText } from '../print/columns.ts';
import { CHOICE_FLAGS } from '../resources/selection.ts';
import { amount, coresText, memoryText, shareText, totals } from '../top/usage.ts';

type Usage = Readonly<Record<string, string>>;
interface NodeMetrics extends AnyObject {
  readonly usage: Usage;
}
interface PodMetrics extends AnyObject {
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[];
}

const SORTING = {
  sortBy: optionalChoice('sort-by', ['cpu', 'memory'], 'sort by what is used of this, the most first'),
  noHeaders: onOff('no-headers', false, 'leave out the names of columns'),
  useProtocolBuffers: onOff('use-protocol-buffers', true, 'taken for the sake of scripts'),
};

/** The measured objects of a resource, where measurements are served. */
async function metricsOf<T extends AnyObject>(
  session: Session,
  plural: string,
  namespace: string,
  { name, selector }: { readonly name: string | undefined; readonly selector: string | undefined },
): Promise<T[]> {
  const { metrics } = (await session.vocabulary()).groups;
  const resources = await session.resources();
  if (!resources.find(`${plural}.${metrics}`)) throw new CommandError('Metrics API not available');
  const plane = new Plane(await session.client(), resources);
  if (name !== undefined) return [await plane.get<T>(metrics, plural, namespace, name)];
  return plane.list<T>(metrics, plural, namespace, selector === undefined ? {} : { labelSelector: selector });
}

function oneName(args: readonly string[], selector: string | undefined): string | undefined {
  if (args.length > 1) throw new CommandError('at most one name may be given');
  if (args.length > 0 && selector !== undefined) {
    throw new CommandError('only one of NAME or --selector can be provided');
  }
  return args[0];
}

type SortBy = 'cpu' | 'memory' | undefined;

/** By name, or by what is used, the most first. */
const sorted = <T>(items: readonly T[], sortBy: SortBy, nameOf: (one: T) => string, usageOf: (one: T) => Usage): T[] =>
  [...items].sort((a, b) => {
    const [one, other] = sortBy ? [amount(usageOf(b)[sortBy]), amount(usageOf(a)[sortBy])] : [0n, 0n];
    return one === other ? byText(nameOf(a), nameOf(b)) : one < other ? -1 : 1;
  });

export const topNode = command({
  usage: 'top node [NAME | -l label]',
  about: 'Shows how much processor and memory nodes use. The plane has to be told by something that measures it.',
  flags: {
    ...SORTING,
    selector: CHOICE_FLAGS.selector,
    showCapacity: onOff('show-capacity', false, 'shares of all there is, not of what pods may use'),
  },
  async run({ args, flags, session }) {
    const name = oneName(args, flags.selector);
    const measured = await metricsOf<NodeMetrics>(session, 'nodes', '', { name, selector: flags.selector });
    const plane = new Plane(await session.client(), await session.resources());
    const nodes = new Map((await plane.list<Node>('', 'nodes', '')).map((node) => [node.metadata.name, node]));
    const rows = sorted(measured, flags.sortBy, nameOf, ({ usage }) => usage).map(({ metadata, usage }) => {
      const { status } = nodes.get(metadata.name) ?? {};
      const whole = flags.showCapacity ? status?.capacity : status?.allocatable;
      return [
        metadata.name ?? '',
        coresText(usage.cpu),
        shareText(usage.cpu, whole?.cpu),
        memoryText(usage.memory),
        shareText(usage.memory, whole?.memory),
      ];
    });
    const header = ['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'];
    await write(session.io.stdout, columnsText(flags.noHeaders ? rows : [header, ...rows]));
  },
});

const nameOf = ({ metadata }: AnyObject): string => metadata.name ?? '';

export const topPod = command({
  usage: 'top pod [NAME | -l label]',
  about: 'Shows how much processor and memory pods use. The plane has to be told by something that measures it.',
  flags: {
    ...SORTING,
    selector: CHOICE_FLAGS.selector,
    allNamespaces: CHOICE_FLAGS.allNamespaces,
    fieldSelector: optionalText('field-selector', 'SELECTOR', 'fields that the pods have'),
    containers: onOff('containers', false, 'show each container'),
    sum: onOff('sum', false, 'show the sum below'),
  },
  async run({ args, flags, session }) {
    const name = oneName(args, flags.selector);
    const namespace = flags.allNamespaces ? '' : (await session.namespace()).name;
    const measured = await metricsOf<PodMetrics>(session, 'pods', namespace, { name, selector: flags.selector });
    if (measured.length === 0) {
      const place = namespace === '' ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`;
      await write(session.io.stderr, place);
      return;
    }
    const usageOf = ({ containers }: PodMetrics): Usage => totals(containers.map(({ usage }) => usage));
    const rows = sorted(measured, flags.sortBy, nameOf, usageOf).flatMap((pod) => podRows(pod, flags));
    const before = [...(flags.allNamespaces ? ['NAMESPACE'] : []), ...(flags.containers ? ['POD'] : [])];
    const header = [...before, 'NAME', 'CPU(cores)', 'MEMORY(bytes)'];
    const sum = totals(measured.map(usageOf));
    const empty = before.map(() => '');
    const below = flags.sum
      ? [
          [...empty, '', '________', '________'],
          [...empty, '', coresText(sum.cpu), memoryText(sum.memory)],
        ]
      : [];
    await write(session.io.stdout, columnsText([...(flags.noHeaders ? [] : [header]), ...rows, ...below]));
  },
});

function podRows(
  { metadata, containers }: PodMetrics,
  { allNamespaces, containers: each }: { readonly allNamespaces: boolean; readonly containers: boolean },
): string[][] {
  const place = allNamespaces ? [metadata.namespace ?? ''] : [];
  const pod = metadata.name ?? '';
  if (!each) {
    const usage = totals(containers.map((one) => one.usage));
    return [[...place, pod, coresText(usage.cpu), memoryText(usage.memory)]];
  }
  return containers.map(({ name, usage }) => [...place, pod, name, coresText(usage.cpu), memoryText(usage.memory)]);
}
