import { list } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { generator } from './generating.ts';
import { quantities } from './quantities.ts';

export const createQuota = generator({
  usage: 'create quota NAME',
  about: 'Creates a quota for what a namespace may hold and use.',
  failing: 'failed to create quota:',
  flags: {
    hard: list('hard', 'RESOURCE=QUANTITY', [], 'limits, such as cpu=4,pods=10'),
    scopes: list('scopes', 'SCOPES', [], 'which pods it counts'),
  },
  make({ flags, meta }) {
    const hard = quantities(flags.hard.join(','));
    if (new Set(flags.scopes).size !== flags.scopes.length) throw new CommandError('a scope is named twice');
    return {
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata: meta(),
      spec: {
        ...(Object.keys(hard).length > 0 ? { hard } : {}),
        ...(flags.scopes.length > 0 ? { scopes: flags.scopes } : {}),
      },
      status: {},
    };
  },
});
