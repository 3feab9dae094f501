import { apiVersionOfKind } from '../../../client/served-kind.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';

export const apiVersions = command({
  usage: 'api-versions',
  about: 'Shows the versions of the interfaces that the plane serves, as "group/version".',
  flags: {},
  async run({ args, session }) {
    if (args.length > 0) throw new CommandError(`unexpected arguments: ${args.join(', ')}`);
    const { all } = await session.resources();
    const versions = [...new Set(all.map(apiVersionOfKind))].sort();
    await write(session.io.stdout, versions.map((version) => `${version}\n`).join(''));
  },
});
