import { compareQuantities, parseQuantity, type Quantity } from '../../schema/quantity.ts';
import { TEXT_UNITS } from '../values/meter.ts';
import { amountOf, Double, type Int, toInt } from '../values/numbers.ts';
import { Failure, OpaqueValue } from '../values/values.ts';
import { bool, double, global, int, type Library, member, type Overload, opaqueParam, text } from './signature.ts';

/** Amounts with a unit, such as `100m` or `2Gi`. */
const NAME = 'Quantity';
const quantity = opaqueParam<Quantity>(NAME);
const NANO = 1_000_000_000n;

const quantityOf = (amount: Quantity): OpaqueValue<Quantity> => new OpaqueValue(NAME, amount, amount.nanos);
const wholeOf = ({ nanos }: Quantity): Int | undefined => (nanos % NANO === 0n ? toInt(nanos / NANO) : undefined);

/** Reading an amount takes longer than its length tells. */
const parsing = {
  units: (size: number) => 50 + Math.ceil(size * TEXT_UNITS),
  estimate: (size: number) => Math.ceil(size * TEXT_UNITS),
};

/** With another amount, or with a whole number. */
const combining = (sign: 1n | -1n): readonly Overload[] => [
  member([quantity, quantity], quantity, (_, { content: a }, { content: b }) =>
    quantityOf({ ...a, nanos: a.nanos + sign * b.nanos }),
  ),
  member([quantity, int], quantity, (_, { content: a }, b) =>
    quantityOf({ ...a, nanos: a.nanos + sign * amountOf(b) * NANO }),
  ),
];

const compare = (a: OpaqueValue<Quantity>, b: OpaqueValue<Quantity>): number => compareQuantities(a.content, b.content);

export const quantities: Library = {
  quantity: [
    global(
      [text],
      quantity,
      (_, written) => {
        const amount = parseQuantity(written);
        return amount ? quantityOf(amount) : new Failure('quantities must match the regular expression of a quantity');
      },
      parsing,
    ),
  ],
  isQuantity: [global([text], bool, (_, written) => parseQuantity(written) !== undefined, parsing)],
  sign: [member([quantity], int, (_, { content: { nanos } }) => (nanos < 0n ? -1 : Number(nanos > 0n)))],
  isInteger: [member([quantity], bool, (_, { content }) => wholeOf(content) !== undefined)],
  asInteger: [
    member([quantity], int, (_, { content }) => wholeOf(content) ?? new Failure('cannot convert value to integer')),
  ],
  asApproximateFloat: [member([quantity], double, (_, { content }) => new Double(Number(content.nanos) / 1e9))],
  add: combining(1n),
  sub: combining(-1n),
  compareTo: [member([quantity, quantity], int, (_, a, b) => compare(a, b))],
  isGreaterThan: [member([quantity, quantity], bool, (_, a, b) => compare(a, b) > 0)],
  isLessThan: [member([quantity, quantity], bool, (_, a, b) => compare(a, b) < 0)],
};
