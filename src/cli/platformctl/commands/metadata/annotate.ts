import { CommandError } from '../../frame/failure.ts';
import { metadataCommand } from './changing.ts';

export const annotate = metadataCommand({
  what: 'annotation',
  field: 'annotations',
  usage: 'annotate [--overwrite] (-f FILE | TYPE NAME) KEY_1=VALUE_1 ... KEY_N=VALUE_N',
  about: 'Sets annotations of objects, and removes those whose key is followed by a minus sign.',
  examples: [['Set one', `annotate pod web note='to be looked at'`]],
  fieldManager: 'platformctl-annotate',
  refuseOverwrite(taken) {
    const told = taken.map(([key, value]) => `'${key}' already has a value (${value})`);
    throw new CommandError(`--overwrite is false but found the following declared annotation(s): ${told.join('; ')}`);
  },
  done: () => 'annotated',
  tellsOfMissing: false,
});
