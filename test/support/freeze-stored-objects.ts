import { guardStoredObjects } from '../../src/registry/live-objects.ts';

/** Run before every test file: whoever changes an object that is kept, which nobody may, gets an exception. */
guardStoredObjects(freeze);

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inside of Object.values(value)) freeze(inside);
}
