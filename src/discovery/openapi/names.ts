import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** The words that published documents are made of: names of definitions, operations and tags. */
export interface PublishedNames {
  /**
   * The name of a definition, from the name of the declared type. Types of custom groups are declared as
   * `<group>/<version>.<Kind>` and published under the reversed domain.
   */
  definition(type: string): string;
  /** `rbacAuthorization_v1`: the tag of all operations of a version. */
  tag(group: string, version: string): string;
  /** `RbacAuthorizationV1`: what the names of its operations contain; without a version, what those of a group do. */
  prefix(group: string, version?: string): string;
}

export function publishedNames({ definitionPrefixes, domains }: Vocabulary): PublishedNames {
  const { api, machinery, extensions, aggregator } = definitionPrefixes;
  /** By the first word of the type; types of all other families are plain API. */
  const families: ReadonlyMap<string, string> = new Map([
    ['meta', `${machinery}apis.`],
    ['api', machinery],
    ['runtime', machinery],
    ['util', machinery],
    ['version', machinery],
    ['apiextensions', `${extensions}apis.`],
    ['apiregistration', `${aggregator}apis.`],
  ]);
  const words = (group: string): string => {
    if (group === '') return 'core';
    const own = group.endsWith(`.${domains.groups}`) ? group.slice(0, -domains.groups.length - 1) : group;
    const [first = '', ...rest] = own.split(/[^A-Za-z0-9]+/);
    return first + rest.map(capitalised).join('');
  };
  return {
    definition(type) {
      const slash = type.indexOf('/');
      if (slash >= 0) return `${reversed(type.slice(0, slash))}.${type.slice(slash + 1)}`;
      return (families.get(type.slice(0, type.indexOf('.'))) ?? api) + type;
    },
    tag: (group, version) => (version === '' ? words(group) : `${words(group)}_${version}`),
    prefix: (group, version = '') => capitalised(words(group)) + capitalised(version),
  };
}

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const reversed = (domain: string): string => domain.split('.').reverse().join('.');
