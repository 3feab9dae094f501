/** A line for both programs, without the program's name. */
export interface Line {
  readonly words: readonly string[];
  /** The same for platformctl, where it calls something by another name. */
  readonly ours?: readonly string[];
  readonly stdin?: string;
  /** Why the two print something else; then exit codes and effects are compared alone. */
  readonly differs?: string;
}

/** Lines that are run one after the other in a namespace of their own, by kubectl in one and by platformctl in another. */
export interface Case {
  readonly name: string;
  readonly lines: readonly Line[];
  /** Files the lines name, in the folder that they are run in; NAMESPACE stands for the namespace of the run. */
  readonly files?: Readonly<Record<string, string>>;
  /** Objects that are there before, as YAML, with their states; NAMESPACE stands for the namespace of the run. */
  readonly objects?: string;
  /** Releases of kubectl before this one do it otherwise, and are left out. */
  readonly sinceMinor?: number;
  /** As are those after this one. */
  readonly untilMinor?: number;
}

/** A line as it is typed; single quotes keep words together. */
export const line = (text: string, more: Omit<Line, 'words'> = {}): Line => ({ words: wordsOf(text), ...more });

function wordsOf(text: string): string[] {
  const words = text.matchAll(/(?:[^\s']|'[^']*')+/g);
  return [...words].map(([word]) => word.replaceAll("'", ''));
}

/** A line that platformctl has other words for. */
export const lineWithOurs = (text: string, ours: string): Line => line(text, { ours: wordsOf(ours) });

/** A case of plain lines. */
export const lines = (name: string, ...texts: readonly (string | Line)[]): Case => ({
  name,
  lines: texts.map((one) => (typeof one === 'string' ? line(one) : one)),
});
