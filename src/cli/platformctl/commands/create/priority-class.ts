import { choice, integer, optionalText } from '../../../../settings/flag.ts';
import { onOff } from '../../frame/flags.ts';
import { generator } from './generating.ts';

export const createPriorityClass = generator({
  usage: 'create priorityclass NAME --value=VALUE',
  about: 'Creates a class of priority.',
  failing: 'failed to create priorityclass:',
  flags: {
    value: integer('value', 0, 1_000_000_000, 0, 'the priority'),
    globalDefault: onOff('global-default', false, 'for pods that name no class'),
    description: optionalText('description', 'TEXT', 'when to use it'),
    preemptionPolicy: choice(
      'preemption-policy',
      ['PreemptLowerPriority', 'Never'],
      'PreemptLowerPriority',
      'whether pods of lower priority make room',
    ),
  },
  clusterWide: true,
  async make({ flags, meta, session }) {
    return {
      kind: 'PriorityClass',
      apiVersion: `${(await session.vocabulary()).groups.scheduling}/v1`,
      metadata: meta(),
      value: flags.value,
      ...(flags.globalDefault ? { globalDefault: true } : {}),
      ...(flags.description === undefined ? {} : { description: flags.description }),
      preemptionPolicy: flags.preemptionPolicy,
    };
  },
});
