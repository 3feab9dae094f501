import { CommandError } from '../frame/failure.ts';
import type { ServedResource, ServedResources } from './served-resources.ts';

/** Objects of one resource that a line names; no names where it means all of them. */
export interface NamedResource {
  readonly resource: ServedResource;
  readonly names: readonly string[];
}

/**
 * What the arguments of a line are about: `pods`, `pods a b`, `pods,services`, `pods,services web`, `pod/a service/b`, `all`. Objects of one
 * resource stay in the order in which they were named.
 */
export function namedResources(args: readonly string[], resources: ServedResources): NamedResource[] {
  if (args.some((argument) => argument.includes('/'))) return pairs(args, resources);
  const [types = '', ...names] = args;
  const words = types.split(',').filter((word) => word !== '');
  const chosen = words.flatMap((word) => resources.selected(word));
  return [...new Set(chosen)].map((resource) => ({ resource, names }));
}

function pairs(args: readonly string[], resources: ServedResources): NamedResource[] {
  return args.map((argument) => {
    const [type = '', name = '', ...more] = argument.split('/');
    if (!argument.includes('/')) {
      throw new CommandError(
        "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'platformctl get resource/<resource_name>' instead of 'platformctl get resource resource/<resource_name>'",
      );
    }
    if (type === '' || name === '' || more.length > 0) {
      throw new CommandError('arguments in resource/name form must have a single resource and name');
    }
    return { resource: resources.named(type), names: [name] };
  });
}
