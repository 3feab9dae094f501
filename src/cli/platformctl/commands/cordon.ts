import { cordonNode, NODE_FLAGS, nodesOf } from '../drain/nodes.ts';
import { command } from '../frame/command.ts';
import { throwFailures } from '../frame/failure.ts';
import { WRITE_FLAGS } from '../frame/write-flags.ts';
import { ObjectWrites } from '../resources/object-writes.ts';

const FLAGS = { selector: NODE_FLAGS.selector, dryRun: WRITE_FLAGS.dryRun };

const cordoning = (name: string, isCordoned: boolean, about: string) =>
  command({
    usage: `${name} NODE`,
    about,
    flags: FLAGS,
    async run({ args, flags, session }) {
      const writes = await ObjectWrites.of(session, { dryRun: flags.dryRun });
      const { nodes, failures } = await nodesOf(session, name, args, flags.selector);
      for (const node of nodes) await cordonNode(session, writes, node, isCordoned, flags.dryRun);
      throwFailures(failures);
    },
  });

export const cordon = cordoning('cordon', true, 'Marks a node as not schedulable: no pods are placed on it any more.');
export const uncordon = cordoning('uncordon', false, 'Marks a node as schedulable again.');
