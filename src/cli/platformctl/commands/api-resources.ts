import { apiVersionOfKind } from '../../../client/served-kind.ts';
import { list, optionalText } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import { columnsText } from '../print/columns.ts';
import type { Line } from '../print/table.ts';
import { qualifiedName, type ServedResource } from '../resources/served-resources.ts';

const FLAGS = {
  apiGroup: optionalText('api-group', 'GROUP', 'resources of this group alone'),
  cached: onOff('cached', false, 'what is remembered of the plane will do'),
  categories: list('categories', 'NAMES', [], 'resources of all these categories alone'),
  namespaced: onOff('namespaced', true, 'resources that are in namespaces alone; false for those that are not'),
  noHeaders: onOff('no-headers', false, 'leave out the names of columns'),
  output: short('o', optionalText('output', 'wide|name', 'more columns, or names alone')),
  sortBy: optionalText('sort-by', 'name|kind', 'what to sort by'),
  verbs: list('verbs', 'VERBS', [], 'resources with all these verbs alone'),
} as const;

export const apiResources = command({
  usage: 'api-resources',
  about: 'Shows the resources that the plane serves, with the names that other commands know them by.',
  examples: [
    ['All of them', 'api-resources'],
    [
      'Names of those that can be listed and live in no namespace',
      'api-resources --verbs=list --namespaced=false -o name',
    ],
  ],
  flags: FLAGS,
  async run({ args, flags, isGiven, session }) {
    const { output, sortBy } = flags;
    if (args.length > 0) {
      throw new CommandError(
        `unexpected arguments: [${args.join(' ')}]\nSee 'platformctl api-resources -h' for help and examples`,
      );
    }
    if (output !== undefined && output !== 'wide' && output !== 'name') {
      throw new CommandError(`--output ${output} is not available`);
    }
    if (sortBy !== undefined && sortBy !== 'name' && sortBy !== 'kind') {
      throw new CommandError('--sort-by accepts only name or kind');
    }
    const resources = flags.cached ? await session.lookUp((known) => known) : await session.resources();
    const shown = resources
      .preferred()
      .filter(({ verbs }) => verbs.length > 0 && flags.verbs.every((verb) => verbs.includes(verb)))
      .filter(({ group }) => flags.apiGroup === undefined || group === flags.apiGroup)
      .filter(({ namespaced }) => !isGiven('namespaced') || namespaced === flags.namespaced)
      .filter(({ categories }) => flags.categories.every((category) => categories.includes(category)));
    const sorted = [...shown].sort(sortBy === undefined ? byGroup : byField(sortBy === 'name' ? 'plural' : 'kind'));
    await write(
      session.io.stdout,
      output === 'name' ? namesText(sorted) : tableText(sorted, output === 'wide', flags.noHeaders),
    );
  },
});

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
const byGroup = (a: ServedResource, b: ServedResource): number =>
  compare(a.group, b.group) || compare(a.plural, b.plural);
const byField =
  (field: 'plural' | 'kind') =>
  (a: ServedResource, b: ServedResource): number =>
    compare(a[field], b[field]);

const namesText = (resources: readonly ServedResource[]): string =>
  resources.map((resource) => `${qualifiedName(resource)}\n`).join('');

function tableText(resources: readonly ServedResource[], isWide: boolean, noHeaders: boolean): string {
  const lines = resources.map((resource): Line => {
    const { plural, shortNames, namespaced, kind, verbs, categories } = resource;
    const cells = [plural, shortNames.join(','), apiVersionOfKind(resource), String(namespaced), kind];
    return isWide ? [...cells, [...verbs].sort().join(','), categories.join(',')] : cells;
  });
  const header = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', ...(isWide ? ['VERBS', 'CATEGORIES'] : [])];
  return columnsText(noHeaders ? lines : [header, ...lines]);
}
