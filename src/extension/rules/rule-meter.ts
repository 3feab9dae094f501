/** Told when rules are compiled and asked. Each gives what to call when that is done. */
export interface RuleMeter {
  compiling(): () => void;
  evaluating(): () => void;
}

const nothing = (): void => {};

/** For whoever does not want to know. */
export const UNMETERED: RuleMeter = { compiling: () => nothing, evaluating: () => nothing };
