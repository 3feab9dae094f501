import type { AnyObject } from '../../../../client/plane-client.ts';
import { twoWayDifference } from '../../../../patch/strategic-difference.ts';
import type { JsonObject } from '../../../../schema/json-object.ts';
import { onOff } from '../../frame/flags.ts';
import type { Session } from '../../frame/session.ts';
import { type DryRun, outcomeWord, WRITE_FLAGS } from '../../frame/write-flags.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import { OUTPUT_FLAGS, type OutputFlags } from '../../print/output-flags.ts';
import { printOutcome } from '../../print/print-objects.ts';
import { eachWritten } from '../../resources/each-written.ts';
import { MergePlans } from '../../resources/merge-plans.ts';
import { ObjectWrites } from '../../resources/object-writes.ts';
import {
  CHOICE_FLAGS,
  FILE_FLAGS,
  liveObject,
  type SelectionRequest,
  selectObjects,
} from '../../resources/selection.ts';

/** Flags of all commands that set something in objects. */
export const SETTING_FLAGS = {
  ...FILE_FLAGS,
  ...WRITE_FLAGS,
  ...OUTPUT_FLAGS,
  selector: CHOICE_FLAGS.selector,
  all: CHOICE_FLAGS.all,
  local: onOff('local', false, 'change what is in the file, and ask nobody'),
};

interface SettingFlags extends OutputFlags, Omit<SelectionRequest, 'args' | 'filename' | 'recursive'> {
  readonly filename: readonly string[];
  readonly recursive: boolean;
  readonly local: boolean;
  readonly dryRun: DryRun;
  readonly fieldManager: string | undefined;
}

export interface Setting {
  /** Words that name objects. */
  readonly args: readonly string[];
  /** Such as `image updated`. */
  readonly done: string;
  /** Also told of objects that are so already. */
  readonly tellsUnchanged?: true;
  /** Gives what the object is to be. `name` is how messages call it: `deployments/web`. */
  change(object: AnyObject, name: string): AnyObject | Promise<AnyObject>;
}

/** Changes each object that a line names, by a patch of what is otherwise afterwards. */
export async function setInObjects(session: Session, flags: SettingFlags, setting: Setting): Promise<void> {
  if (flags.local) return setInFiles(session, flags, setting);
  const objects = await selectObjects(session, { ...flags, args: setting.args });
  const client = await session.client();
  const plans = new MergePlans(client, await session.vocabulary());
  const { dryRun } = flags;
  const writes = await ObjectWrites.of(session, { fieldManager: flags.fieldManager ?? 'platformctl-set', dryRun });
  const done = outcomeWord(setting.done, dryRun);
  await eachWritten(session, objects, flags, 'changing', async (object) => {
    const { resource: kind, namespace, name } = object;
    const before = await liveObject(client, object);
    const after = await setting.change(before, `${kind.plural}/${name}`);
    const plan = await plans.planOf(kind);
    const patch = twoWayDifference(before as unknown as JsonObject, after as unknown as JsonObject, plan);
    if (Object.keys(patch).length === 0 && !setting.tellsUnchanged) return undefined;
    if (dryRun === 'client') return { object: after, done, keys: 'given' };
    const written = await writes.patch({ kind, namespace, name }, plan ? 'strategic' : 'merge', patch);
    return { object: written, done, keys: 'given' };
  });
}

async function setInFiles(session: Session, flags: SettingFlags, { change, done }: Setting): Promise<void> {
  let count = 0;
  for await (const { object } of readManifests(flags, session.io)) {
    const name = `${object.kind.toLowerCase()}s/${object.metadata.name ?? ''}`;
    const changed = await change(object as AnyObject, name);
    await printOutcome(session, changed, done, flags, { count: count++ });
  }
}

/** Splits `deployment web a=b c=d` into the words before the first pair, and the pairs. */
export function wordsAndPairs(args: readonly string[]): { readonly words: string[]; readonly pairs: string[] } {
  const isPair = (word: string): boolean => /^[^=]+=/.test(word) || word.endsWith('-');
  return { words: args.filter((word) => !isPair(word)), pairs: args.filter(isPair) };
}
