import { OBJECT_NAMES } from './object-names.ts';
import { PROTOCOL_NAMES } from './protocol-names.ts';
import { type Column, column } from './table.ts';

/**
 * The only folder that spells identifiers carrying the maker's name or domain: in two tables, of names in objects and of
 * names elsewhere. Each row gives the neutral spelling and the original one; a server speaks exactly one column, chosen at
 * start-up with `--vocabulary`.
 *
 * The neutral column has one domain where the original has two, and no rule tells from a neutral name which of them it
 * meant (`node.platform.io/v1` is a group version, `node.platform.io/not-ready` a taint). So names are always taken
 * from their row; text is never translated.
 */
export const vocabularyNames = ['platform', 'kubernetes'] as const;

/** What `--vocabulary` accepts, and what a data directory remembers. */
export type VocabularyName = (typeof vocabularyNames)[number];

const TABLE = { ...OBJECT_NAMES, ...PROTOCOL_NAMES };

/** One column of the table, `v.groups.rbac` and the like, frozen; a new row needs no declaration but itself. */
export interface Vocabulary extends Column<typeof TABLE> {
  readonly name: VocabularyName;
  /**
   * Whether a domain (an API group, or what stands before the slash of a key) is the maker's own: one of `domains` or
   * below it. Others may use such a domain only where a rule lets them.
   */
  reserves(domain: string): boolean;
}

const isWithin = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

function vocabulary(name: VocabularyName, index: 0 | 1): Vocabulary {
  const names = column(TABLE, index);
  const { groups, keys } = names.domains;
  return Object.freeze({
    ...names,
    name,
    reserves: (domain: string) => isWithin(domain, groups) || isWithin(domain, keys),
  });
}

export const vocabularies: Readonly<Record<VocabularyName, Vocabulary>> = Object.freeze({
  platform: vocabulary('platform', 0),
  kubernetes: vocabulary('kubernetes', 1),
});

/** The vocabulary a flag or a data directory names; throws when there is none of that name. */
export function vocabularyNamed(name: string): Vocabulary {
  const known = vocabularyNames.find((candidate) => candidate === name);
  if (known === undefined) {
    throw new Error(`unknown vocabulary "${name}": choose one of ${vocabularyNames.join(', ')}`);
  }
  return vocabularies[known];
}
