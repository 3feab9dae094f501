import { claimProtection } from '../claim-protection.ts';
import type { Loop } from '../loop.ts';
import { tokenCleaner } from '../token-cleaner.ts';
import { volumeProtection } from '../volume-protection.ts';

/** The loops that a process beside a plane can run. */
const LOOPS: readonly { readonly loop: Loop; readonly byDefault: boolean }[] = [
  { loop: claimProtection, byDefault: true },
  { loop: volumeProtection, byDefault: true },
  { loop: tokenCleaner, byDefault: false },
];

export const LOOP_NAMES: readonly string[] = LOOPS.map(({ loop }) => loop.name);

/**
 * The loops that are meant: `*` for all that are on by default, `foo` for this one, `-foo` for all but this one. Of entries
 * about the same loop the first decides. Throws an Error of one line about a name that no loop has.
 */
export function chosenLoops(entries: readonly string[]): Loop[] {
  const nameIn = (entry: string): string => entry.replace(/^-/, '');
  const unknown = entries.map(nameIn).find((name) => name !== '*' && !LOOP_NAMES.includes(name));
  if (unknown !== undefined)
    throw new Error(`there is no control loop "${unknown}": there are ${LOOP_NAMES.join(', ')}`);
  const isChosen = ({ loop: { name }, byDefault }: (typeof LOOPS)[number]): boolean => {
    const own = entries.find((entry) => nameIn(entry) === name);
    return own === undefined ? byDefault && entries.includes('*') : own === name;
  };
  return LOOPS.filter(isChosen).map(({ loop }) => loop);
}
