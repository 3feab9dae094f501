/** A name as the neutral vocabulary spells it, and as the original one does. */
export type Row = readonly [neutral: string, original: string];

/** Rows by the group and the name that code knows them by. One ending in Prefix or Suffix is not whole: the caller adds the rest. */
export type Table = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** One spelling of every row. */
export type Column<T extends Table> = { readonly [G in keyof T]: { readonly [N in keyof T[G]]: string } };

/** A name that both vocabularies spell alike, though it carries a trace of the maker's. */
export const same = (name: string): Row => [name, name];

// The overload states what the entries cannot: the column has the keys of the table.
export function column<T extends Table>(rows: T, index: 0 | 1): Column<T>;
export function column(rows: Table, index: 0 | 1): Column<Table> {
  const groups = Object.entries(rows).map(([group, names]) => {
    const spelled = Object.entries(names).map(([name, row]) => [name, row[index]] as const);
    return [group, Object.freeze(Object.fromEntries(spelled))] as const;
  });
  return Object.fromEntries(groups);
}
