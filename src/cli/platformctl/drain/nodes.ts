import type { AnyObject } from '../../../client/plane-client.ts';
import type { Node } from '../../../kinds/core/node/node.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { type DryRun, outcomeWord } from '../frame/write-flags.ts';
import type { ObjectWrites } from '../resources/object-writes.ts';
import { CHOICE_FLAGS, selectObjects } from '../resources/selection.ts';

export const NODE_FLAGS = { selector: CHOICE_FLAGS.selector };

/** The nodes that a line names, or that have some labels, and what went wrong with others. */
export async function nodesOf(
  session: Session,
  command: string,
  args: readonly string[],
  selector: string | undefined,
): Promise<{ readonly nodes: readonly Node[]; readonly failures: readonly unknown[] }> {
  const help = `\nSee 'platformctl ${command} -h' for help and examples`;
  if (args.length === 0 && selector === undefined) {
    throw new CommandError(`USAGE: ${command} NODE [flags]${help}`);
  }
  if (args.length > 0 && selector !== undefined) {
    throw new CommandError(`cannot specify both a node name and a --selector option${help}`);
  }
  const client = await session.client();
  const named = args.some((argument) => argument.includes('/')) ? args : ['nodes', ...args];
  const chosen = await selectObjects(session, { args: named, selector });
  const nodes: Node[] = [];
  const failures: unknown[] = [];
  for (const { resource, name, listed } of chosen) {
    try {
      nodes.push((listed ?? (await client.get<AnyObject>({ kind: resource, namespace: '', name }))) as Node);
    } catch (error) {
      failures.push(error);
    }
  }
  return { nodes, failures };
}

/** Has a node take pods, or none. */
export async function cordonNode(
  session: Session,
  writes: ObjectWrites,
  { metadata, spec }: Node,
  isCordoned: boolean,
  dryRun: DryRun,
): Promise<void> {
  const word = isCordoned ? 'cordoned' : 'uncordoned';
  const isSo = (spec.unschedulable ?? false) === isCordoned;
  const { name = '' } = metadata;
  if (!isSo && dryRun !== 'client') {
    const kind = (await session.resources()).named('nodes');
    const patch = { spec: { unschedulable: isCordoned ? true : null } };
    await writes.patch({ kind, namespace: '', name }, 'strategic', patch);
  }
  await write(session.io.stdout, `node/${name} ${outcomeWord(isSo ? `already ${word}` : word, dryRun)}\n`);
}
