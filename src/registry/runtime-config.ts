import { isAtLeast, RELEASE, type Release } from '../api/release.ts';
import { apiVersionOf } from './incoming.ts';
import type { ResourceType } from './resource-type.ts';

/** Versions that can be switched together, in the order in which the switches apply. */
const FAMILIES: readonly (readonly [key: string, includes: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];

const isAlpha = (version: string): boolean => /^v\d+alpha\d+$/.test(version);

/**
 * Which types are served, by what an operator switches on and off: `<group>/<version>[/<resource>][=true|false]`, or a
 * family of versions. The narrower switch wins. Without one, all versions are served but the earliest, which may vanish
 * again, unless their type says otherwise. What a release has removed cannot be switched on. Throws an Error of one line when an entry names nothing among
 * `types`.
 */
export function servedWith(
  entries: readonly string[],
  types: readonly ResourceType[],
  release: Release = RELEASE,
): (type: ResourceType) => boolean {
  const switches = new Map(entries.map(parseEntry));
  const known = new Set(types.flatMap((type) => [apiVersionOf(type), resourceKey(type)]));
  for (const key of switches.keys()) {
    if (!known.has(key) && !FAMILIES.some(([family]) => family === key)) {
      throw new Error(`--runtime-config: "${key}" is neither a group version nor a resource this server has`);
    }
  }
  return (type) => {
    if (isRemoved(type, release)) return false;
    const families = FAMILIES.filter(([key, includes]) => switches.has(key) && includes.test(type.version));
    const last = families.at(-1);
    return (
      switches.get(resourceKey(type)) ??
      switches.get(apiVersionOf(type)) ??
      (last && switches.get(last[0])) ??
      (type.servedByDefault || !isAlpha(type.version))
    );
  };
}

const isRemoved = ({ deprecation }: ResourceType, release: Release): boolean =>
  deprecation?.removedIn !== undefined && isAtLeast(release, deprecation.removedIn);

const resourceKey = (type: ResourceType): string => `${apiVersionOf(type)}/${type.plural}`;

function parseEntry(entry: string): [key: string, value: boolean] {
  const [key = '', value = 'true', ...rest] = entry.split('=').map((part) => part.trim());
  if (rest.length > 0 || (value !== 'true' && value !== 'false')) {
    throw new Error(`--runtime-config: "${entry}" must be a key, or a key and true or false`);
  }
  // The core group has no name, but a path.
  return [key.replace(/^api\/(?=v\d)/, ''), value === 'true'];
}
