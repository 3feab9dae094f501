/** How a finding is to be taken. */
export type Level = 'ok' | 'warning' | 'problem';

/** What a check found out about one thing. */
export interface Finding {
  /** What was looked at: `store`, `disk` and the like. */
  readonly subject: string;
  readonly level: Level;
  /** One line. */
  readonly message: string;
  /** What to do about it; one line, for whatever is not ok. */
  readonly advice?: string;
}

export const ok = (subject: string, message: string): Finding => ({ subject, level: 'ok', message });

export const warning = (subject: string, message: string, advice: string): Finding => ({
  subject,
  level: 'warning',
  message,
  advice,
});

export const problem = (subject: string, message: string, advice: string): Finding => ({
  subject,
  level: 'problem',
  message,
  advice,
});

/** What kept something from being looked at, in one line. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 500);

/** Does what a check does. That it could not be done is a finding too. */
export async function looked(
  subject: string,
  look: () => Promise<readonly Finding[]> | readonly Finding[],
  advice: string,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [problem(subject, reasonOf(error), advice)];
  }
}

const WORST_FIRST: readonly Level[] = ['problem', 'warning', 'ok'];

/** The worst first, otherwise in their order. */
export const sorted = (findings: readonly Finding[]): Finding[] =>
  WORST_FIRST.flatMap((level) => findings.filter((finding) => finding.level === level));

/** One page for people. */
export function page(findings: readonly Finding[]): string {
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  const width = Math.max(0, ...findings.map(({ subject }) => subject.length));
  const indent = ' '.repeat('warning'.length + width + 4);
  const lines = sorted(findings).flatMap(({ subject, level, message, advice }) => [
    `${level.padEnd('warning'.length)}  ${subject.padEnd(width)}  ${printable(message)}`,
    ...(advice === undefined ? [] : [`${indent}-> ${printable(advice)}`]),
  ]);
  const summary = `${count('problem')} problems, ${count('warning')} warnings, ${count('ok')} in order`;
  return `${[...lines, '', summary].join('\n')}\n`;
}

/** Names of objects and texts of others stay on their line, and steer no terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');

/** The same for programs. */
export const json = (findings: readonly Finding[]): string =>
  `${JSON.stringify({ isSound: isSound(findings), findings: sorted(findings) }, null, 2)}\n`;

/** Whether there is nothing to do. */
export const isSound = (findings: readonly Finding[]): boolean => findings.every(({ level }) => level === 'ok');
