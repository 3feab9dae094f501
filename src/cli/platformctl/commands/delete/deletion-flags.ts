import type { Propagation } from '../../../../meta/dependents.ts';
import { duration, type Flag } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { alone, onOff, type ShellFlag } from '../../frame/flags.ts';

const CASCADES: Readonly<Record<string, Propagation>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
  // What it was called before there were three.
  true: 'Background',
  false: 'Orphan',
};

const cascade: ShellFlag<Propagation> = alone('background', {
  name: 'cascade',
  value: 'background|foreground|orphan',
  help: 'what becomes of objects that belong to a deleted one: deleted after it, before it, or kept',
  fallback: 'Background',
  read(given) {
    const chosen = Object.hasOwn(CASCADES, given) ? CASCADES[given] : undefined;
    if (chosen) return chosen;
    throw new CommandError(`invalid cascade value (${given}). Must be "background", "foreground", or "orphan"`);
  },
  expects: 'a way to delete dependents',
  fits: (value) => Object.values(CASCADES).some((one) => one === value),
});

const gracePeriod: Flag<number> = {
  name: 'grace-period',
  value: 'SECONDS',
  help: 'how long objects have to end by themselves; theirs when negative',
  fallback: -1,
  read(given) {
    if (/^-?\d+$/.test(given)) return Number(given);
    throw new CommandError(`invalid argument ${JSON.stringify(given)} for "--grace-period" flag`);
  },
  expects: 'a number of seconds',
  fits: Number.isInteger,
};

/** How objects are deleted. */
export const DELETION_FLAGS = {
  cascade,
  gracePeriod,
  force: onOff('force', false, 'delete at once, without waiting for what runs to end'),
  timeout: duration('timeout', 0, 'how long to wait until objects are gone; 0 for as long as it takes'),
};

export interface DeletionFlags {
  readonly cascade: Propagation;
  readonly gracePeriod: number;
  readonly force: boolean;
  readonly timeout: number;
}
