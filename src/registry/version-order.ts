/** `v1`, `v2beta1`, `v1alpha3`: how mature a version is, and its numbers. */
interface Parsed {
  readonly stage: number;
  readonly major: bigint;
  readonly minor: bigint;
}

const PATTERN = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGES: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };
const STABLE = 2;

function parse(version: string): Parsed | undefined {
  const [, major, stage, minor = '0'] = PATTERN.exec(version) ?? [];
  if (major === undefined) return undefined;
  return { stage: stage === undefined ? STABLE : (STAGES[stage] ?? 0), major: BigInt(major), minor: BigInt(minor) };
}

/**
 * The order in which clients prefer versions: stable ones before beta before alpha, higher numbers first, and names of
 * another form last, by the alphabet. For sorting.
 */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [parse(a), parse(b)];
  if (!one || !other) return Number(!one) - Number(!other) || compareTexts(a, b);
  if (one.stage !== other.stage) return other.stage - one.stage;
  if (one.major !== other.major) return one.major > other.major ? -1 : 1;
  if (one.minor !== other.minor) return one.minor > other.minor ? -1 : 1;
  return 0;
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
