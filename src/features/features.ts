import { isAtLeast, RELEASE, type Release } from '../api/release.ts';
import { UsageError } from '../settings/flag.ts';
import { FEATURES, type FeatureName, type Stage, type StageStep } from './feature-table.ts';

/** How a feature is set. */
export interface FeatureState {
  readonly name: FeatureName;
  readonly stage: Stage;
  readonly isOn: boolean;
}

/** Switches for all features of a stage that have none of their own. */
const FAMILIES: Readonly<Record<string, Stage>> = { AllAlpha: 'alpha', AllBeta: 'beta' };

/** Which features are on: one immutable value, made at start. */
export class Features {
  /** Of those that have a switch in this release. */
  readonly #states: ReadonlyMap<FeatureName, FeatureState>;
  /** Those that had one and are on for good. */
  readonly #settled: ReadonlySet<FeatureName>;
  /** What an operator should know about the switches that were given, a line each. */
  readonly warnings: readonly string[];

  /** `switches`: `Name=true` and `Name=false`, of which the last counts. Throws a UsageError for one that cannot be set. */
  constructor(switches: readonly string[] = [], release: Release = RELEASE) {
    const given = new Map(switches.map(parseSwitch));
    const warnings: string[] = [];
    const names = Object.keys(FEATURES) as FeatureName[];
    const switched = names.flatMap((name) => switchOf(name, release));
    const known: ReadonlySet<string> = new Set([...switched.map(({ name }) => name), ...Object.keys(FAMILIES)]);
    for (const name of given.keys()) {
      if (!known.has(name)) throw new UsageError(`--feature-gates: unrecognized feature gate: ${name}`);
    }
    this.#settled = new Set(names.filter((name) => isSettled(name, release)));
    this.#states = new Map(
      switched.map(({ name, ...step }) => {
        const own = given.get(name);
        if (own !== undefined) noteSwitch(name, step, own, warnings);
        return [name, { name, stage: step.stage, isOn: own ?? familySwitch(step, given) ?? step.isOn }];
      }),
    );
    this.warnings = warnings;
  }

  isOn(name: FeatureName): boolean {
    return this.#states.get(name)?.isOn ?? this.#settled.has(name);
  }

  /** By name. */
  all(): Iterable<FeatureState> {
    return this.#states.values();
  }
}

function parseSwitch(text: string): [name: string, isOn: boolean] {
  const [name = '', value, ...rest] = text.split('=').map((part) => part.trim());
  if (value === undefined || rest.length > 0) {
    throw new UsageError(`--feature-gates: "${text}" must be a name, = and true or false`);
  }
  if (value !== 'true' && value !== 'false') {
    throw new UsageError(`--feature-gates: invalid value of ${name}=${value}: it must be true or false`);
  }
  return [name, value === 'true'];
}

/** Where a feature is in a release; undefined before it came. */
const stepOf = (name: FeatureName, release: Release): StageStep | undefined => {
  const steps: readonly StageStep[] = FEATURES[name];
  return steps.filter(({ since }) => isAtLeast(release, since)).at(-1);
};

/** The switch of a feature, if it has one in this release. */
function switchOf(name: FeatureName, release: Release): Switch[] {
  const step = stepOf(name, release);
  return !step || step.stage === 'removed' ? [] : [{ name, stage: step.stage, isOn: step.isOn }];
}

/** As it is without anyone having touched it. */
type Switch = FeatureState;

function isSettled(name: FeatureName, release: Release): boolean {
  const step = stepOf(name, release);
  return step?.stage === 'removed' && step.isOn;
}

function noteSwitch(name: FeatureName, { stage }: Pick<Switch, 'stage'>, isOn: boolean, warnings: string[]): void {
  if (stage === 'ga') {
    if (!isOn) {
      throw new UsageError(`--feature-gates: cannot set feature gate ${name} to false, feature is locked to true`);
    }
    warnings.push(`Setting GA feature gate ${name}=true. It will be removed in a future release.`);
  }
  if (stage === 'deprecated') {
    warnings.push(`Setting deprecated feature gate ${name}=${isOn}. It will be removed in a future release.`);
  }
}

function familySwitch({ stage }: Pick<Switch, 'stage'>, given: ReadonlyMap<string, boolean>): boolean | undefined {
  const family = Object.keys(FAMILIES).find((name) => FAMILIES[name] === stage);
  return family === undefined ? undefined : given.get(family);
}

/** As a release comes out of the box. */
export const DEFAULT_FEATURES = new Features();
