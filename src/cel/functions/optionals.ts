import { KEY_UNITS, type Meter } from '../values/meter.ts';
import { Double, Uint } from '../values/numbers.ts';
import { Duration, Timestamp } from '../values/time.ts';
import { Failure, isMap, Optional, sizeOfMap } from '../values/values.ts';
import { any, bool, global, type Library, list, member, optional } from './signature.ts';

const NONE = new Failure('optional.none() dereference');

function isZero(meter: Meter, value: unknown): boolean {
  if (value === null || value === false || value === 0 || value === '') return true;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration || value instanceof Timestamp) return value.nanos === 0n;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (!isMap(value)) return false;
  const size = sizeOfMap(value);
  meter.spend(KEY_UNITS * size);
  return size === 0;
}

const optionalA = optional(any('A'));

export const optionals: Library = {
  'optional.of': [global([any('A')], optionalA, (_, value) => Optional.of(value))],
  'optional.none': [global([], optionalA, () => Optional.none)],
  'optional.ofNonZeroValue': [
    global([any('A')], optionalA, (meter, value) => (isZero(meter, value) ? Optional.none : Optional.of(value))),
  ],
  'optional.unwrap': [
    global([list(optionalA)], list(any('A')), (meter, items) => {
      meter.spend(items.length);
      return items.flatMap((item) => (item instanceof Optional && item.hasValue ? [item.value] : []));
    }),
  ],
  unwrapOpt: [
    member([list(optionalA)], list(any('A')), (meter, items) => {
      meter.spend(items.length);
      return items.flatMap((item) => (item instanceof Optional && item.hasValue ? [item.value] : []));
    }),
  ],
  or: [
    member([optionalA, optionalA], optionalA, (_, value, other) => (value.hasValue ? value : other), {
      decide: (value) => (value instanceof Optional && value.hasValue ? value : undefined),
    }),
  ],
  orValue: [
    member([optionalA, any('A')], any('A'), (_, value, other) => (value.hasValue ? value.value : other), {
      decide: (value) => (value instanceof Optional && value.hasValue ? value.value : undefined),
    }),
  ],
  hasValue: [member([optionalA], bool, (_, value) => value.hasValue)],
  value: [member([optionalA], any('A'), (_, value) => (value.hasValue ? value.value : NONE))],
};
