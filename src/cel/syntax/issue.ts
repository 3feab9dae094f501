/** Something wrong with the text of an expression. */
export interface Issue {
  /** Offset into the text, in UTF-16 units. */
  readonly at: number;
  readonly message: string;
}

/** More issues, or longer lines, help nobody. */
const MOST_ISSUES = 20;
const LONGEST_LINE = 1_000;

/** Issues in the form writers of expressions know: place, message, the line and a mark below it. */
export function renderIssues(source: string, issues: readonly Issue[]): string {
  const shown = [...issues].sort((a, b) => a.at - b.at).slice(0, MOST_ISSUES);
  const texts = shown.map((issue) => renderIssue(source, issue));
  const more = issues.length - shown.length;
  return more > 0 ? `${texts.join('\n')}\n and ${more} more` : texts.join('\n');
}

function renderIssue(source: string, { at, message }: Issue): string {
  const start = source.lastIndexOf('\n', at - 1) + 1;
  const newline = source.indexOf('\n', at);
  const line = source.slice(start, newline < 0 ? source.length : newline);
  const column = at === 0 ? 0 : [...source.slice(start, at)].length;
  const head = `ERROR: <input>:${lineNumber(source, start)}:${column + 1}: ${message}`;
  if (line.length > LONGEST_LINE) return head;
  return `${head}\n | ${line.replaceAll('\t', ' ')}\n | ${'.'.repeat(column)}^`;
}

function lineNumber(source: string, lineStart: number): number {
  let number = 1;
  for (let at = source.indexOf('\n'); at >= 0 && at < lineStart; at = source.indexOf('\n', at + 1)) number++;
  return number;
}
