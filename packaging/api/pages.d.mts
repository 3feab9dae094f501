/** The pages by the names of their files, of a folder of declarations. */
export function apiPages(folder: string): Readonly<Record<string, string>>;
/** What each entry point exports without a word about it, as `ENTRY: NAME`. */
export function undocumented(folder: string): readonly string[];
