import type { AnyObject } from '../../../../client/plane-client.ts';
import { optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { labelPairs } from '../create/label-pairs.ts';
import { SETTING_FLAGS, setInObjects } from './setting.ts';

interface Service extends AnyObject {
  readonly spec?: object;
}

export const setSelector = command({
  usage: 'set selector (-f FILE | TYPE NAME) EXPRESSIONS [--resource-version=VERSION]',
  about: 'Sets which pods services are for; what was selected before is not, unless it is named again.',
  flags: {
    ...SETTING_FLAGS,
    resourceVersion: optionalText('resource-version', 'VERSION', 'only if the object has this version'),
  },
  async run({ args, flags, session }) {
    const words = args.slice(0, -1);
    const expression = args.at(-1) ?? '';
    const isBare = words.length === 1 && !words[0]?.includes('/') && flags.filename.length === 0 && !flags.all;
    if (isBare) throw new CommandError('resource(s) were provided, but no name was specified');
    if (!expression.split(',').every((pair) => /^[^=\s]+=[^=\s]*$/.test(pair))) {
      throw new CommandError(`match expression ${expression} not supported on this object`);
    }
    const selector = labelPairs(expression);
    await setInObjects(session, flags, {
      args: words,
      done: 'selector updated',
      tellsUnchanged: true,
      change(object) {
        if (object.kind !== 'Service') throw new CommandError('setting a selector is only supported for Services');
        const { resourceVersion } = flags;
        const metadata = resourceVersion === undefined ? object.metadata : { ...object.metadata, resourceVersion };
        return { ...object, metadata, spec: { ...(object as Service).spec, selector } } as Service;
      },
    });
  },
});
