/** A statement of a file of declarations; lists of names declare nothing. */
export interface Statement {
  readonly text: string;
  readonly doc: string;
  readonly sort?: string;
  readonly name?: string;
}

/** What a name means: where it is declared, and how; a type and a value of one name are two parts. */
export interface Found {
  readonly name: string;
  /** What it is called where it was asked for. */
  readonly alias: string;
  readonly file: string;
  readonly parts: readonly Statement[];
}

export class Declarations {
  constructor(folder: string);
  introductionOf(file: string): string;
  find(file: string, name: string): Found | undefined;
  exportsOf(file: string): readonly Found[];
}
