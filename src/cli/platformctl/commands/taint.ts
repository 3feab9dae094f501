import type { AnyObject } from '../../../client/plane-client.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { VALIDATION_FLAGS, WRITE_FLAGS } from '../frame/write-flags.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { eachWritten } from '../resources/each-written.ts';
import { ObjectWrites } from '../resources/object-writes.ts';
import { CHOICE_FLAGS, liveObject, selectObjects } from '../resources/selection.ts';

const EFFECTS: ReadonlySet<string> = new Set(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

interface Node extends AnyObject {
  readonly spec?: { readonly taints?: readonly Taint[] };
}

interface TaintChanges {
  readonly set: readonly Taint[];
  /** Of any effect where it is ''. */
  readonly remove: readonly { readonly key: string; readonly effect: string }[];
}

export const taint = command({
  usage: 'taint NODE NAME KEY_1=VALUE_1:EFFECT_1 ... KEY_N=VALUE_N:EFFECT_N',
  about: 'Sets taints of nodes, and removes those that are followed by a minus sign.',
  examples: [
    ['Keep pods away', 'taint nodes worker dedicated=search:NoSchedule'],
    ['And no more', 'taint nodes worker dedicated:NoSchedule-'],
  ],
  flags: {
    ...WRITE_FLAGS,
    ...VALIDATION_FLAGS,
    ...OUTPUT_FLAGS,
    selector: CHOICE_FLAGS.selector,
    all: CHOICE_FLAGS.all,
    overwrite: onOff('overwrite', false, 'change taints that have another value'),
  },
  async run({ args, flags, session }) {
    const isTaint = (word: string): boolean => /[=:]/.test(word) || word.endsWith('-');
    const words = args.filter((word) => !isTaint(word));
    if (
      words.length === 0 ||
      (words.length === 1 && !flags.all && flags.selector === undefined && !words[0]?.includes('/'))
    ) {
      throw new CommandError('one or more resources must be specified as <resource> <name>');
    }
    const type = words[0]?.split('/')[0] ?? '';
    if ((await session.resources()).named(type).kind !== 'Node') {
      throw new CommandError(`invalid resource type ${type}, only node types are supported`);
    }
    const changes = taintChanges(args.filter(isTaint));
    if (changes.set.length + changes.remove.length === 0)
      throw new CommandError('at least one taint update is required');
    const objects = await selectObjects(session, { ...flags, args: words });
    const client = await session.client();
    const { dryRun } = flags;
    const writes = await ObjectWrites.of(session, { fieldManager: flags.fieldManager ?? 'platformctl-taint', dryRun });
    await eachWritten(session, objects, flags, 'tainting', async (object) => {
      const { resource: kind, namespace, name } = object;
      const node = (await liveObject(client, object)) as Node;
      const { taints, done } = changedTaints(node.spec?.taints ?? [], changes, flags.overwrite, name);
      const changed = { ...node, spec: { ...node.spec, taints } };
      if (dryRun === 'client') return { object: changed, done, keys: 'given' };
      // Taints are one list to a merge: that nobody changed it meanwhile is what the version says.
      const { resourceVersion } = node.metadata;
      const patch = { metadata: { resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } };
      const written = await writes.patch({ kind, namespace, name }, 'merge', patch);
      return { object: written, done, keys: 'given' };
    });
  },
});

function taintChanges(words: readonly string[]): TaintChanges {
  const set: Taint[] = [];
  const remove: { key: string; effect: string }[] = [];
  for (const word of words) {
    const isRemoval = word.endsWith('-');
    const [, key = '', value, effect = ''] =
      /^([^=:]+)(?:=([^:]*))?(?::(.*))?$/.exec(isRemoval ? word.slice(0, -1) : word) ?? [];
    if (key === '' || (!isRemoval && effect === '')) throw new CommandError(`unknown taint spec: ${word}`);
    if (effect !== '' && !EFFECTS.has(effect)) {
      throw new CommandError(
        `invalid taint effect: ${effect}, unsupported taint effect\nSee 'platformctl taint -h' for help and examples`,
      );
    }
    if (isRemoval) remove.push({ key, effect });
    else set.push({ key, ...(value ? { value } : {}), effect });
  }
  const both = set.filter(({ key, effect }) => remove.some((one) => one.key === key && one.effect === effect));
  if (both.length > 0) {
    const told = both.map(({ key, effect }) => `${key}=${effect}`).join(', ');
    throw new CommandError(`can not both modify and remove the following taint(s) in the same command: ${told}`);
  }
  return { set, remove };
}

function changedTaints(
  before: readonly Taint[],
  { set, remove }: TaintChanges,
  overwrite: boolean,
  node: string,
): { readonly taints: Taint[]; readonly done: string } {
  const isSame = (a: { key: string; effect: string }, b: Taint): boolean => a.key === b.key && a.effect === b.effect;
  const taken = set.filter((one) => before.some((other) => isSame(one, other)));
  if (taken.length > 0 && !overwrite) {
    const told = taken.map(({ key }) => key).join(',');
    throw new CommandError(`node ${node} already has ${told} taint(s) with same effect(s) and --overwrite is false`);
  }
  const isRemoved = (one: Taint): boolean =>
    remove.some(({ key, effect }) => key === one.key && (effect === '' || effect === one.effect));
  for (const { key, effect } of remove) {
    if (!before.some((one) => one.key === key && (effect === '' || effect === one.effect))) {
      throw new CommandError(`taint "${effect === '' ? key : `${key}:${effect}`}" not found`);
    }
  }
  const kept = before.filter((one) => !isRemoved(one) && !set.some((news) => isSame(news, one)));
  const done =
    taken.length > 0 ? 'modified' : set.length > 0 ? (remove.length > 0 ? 'modified' : 'tainted') : 'untainted';
  return { taints: [...set, ...kept], done };
}
