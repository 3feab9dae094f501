import { sameJson } from '../../../../schema/same-json.ts';
import { CommandError } from '../../frame/failure.ts';
import { metadataCommand } from './changing.ts';

export const label = metadataCommand({
  what: 'label',
  field: 'labels',
  usage: 'label [--overwrite] (-f FILE | TYPE NAME) KEY_1=VALUE_1 ... KEY_N=VALUE_N',
  about: 'Sets labels of objects, and removes those whose key is followed by a minus sign.',
  examples: [
    ['Set one, whatever it was', 'label --overwrite pod web tier=front'],
    ['Remove one', 'label pod web tier-'],
  ],
  fieldManager: 'platformctl-label',
  refuseOverwrite(taken) {
    const told = taken.map(([key, value]) => `'${key}' already has a value (${value}), and --overwrite is false`);
    throw new CommandError(told.length === 1 ? `${told[0]}` : `[${told.join(', ')}]`);
  },
  done(before, after) {
    if (before !== undefined && sameJson(before, after)) return 'not labeled';
    return Object.keys(after).length < Object.keys(before ?? {}).length ? 'unlabeled' : 'labeled';
  },
  tellsOfMissing: true,
});
