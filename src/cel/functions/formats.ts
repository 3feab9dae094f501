import { TEXT_UNITS } from '../values/meter.ts';
import { parseTimestamp } from '../values/time.ts';
import { OpaqueValue, Optional } from '../values/values.ts';
import { global, type Library, member, type Overload, opaqueParam, optional, text, texts } from './signature.ts';
import { parseUrl } from './url.ts';

/** Undefined when a text is fine, else what is wrong with it. */
export type Format = (value: string) => string | undefined;

const NAME = 'Format';
const format = opaqueParam<Format>(NAME);
/** A text of more characters is of no format. */
const LONGEST = 64 * 1024;

const when =
  (holds: (value: string) => boolean, otherwise: string): Format =>
  (value) =>
    holds(value) ? undefined : otherwise;

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Formats that are about nothing but the text. Those of names are handed in by whoever knows them. */
const OWN: Readonly<Record<string, Format>> = {
  uuid: when((value) => UUID.test(value), 'does not match the UUID format'),
  byte: when((value) => value.length % 4 === 0 && BASE64.test(value), 'invalid base64'),
  date: when((value) => value.length === 10 && parseTimestamp(value, true) !== undefined, 'invalid date'),
  datetime: when((value) => parseTimestamp(value) !== undefined, 'invalid datetime'),
  uri: when((value) => parseUrl(value) !== undefined, 'invalid URI'),
};

const validation: Overload = member(
  [format, text],
  optional(texts),
  (_, { content }, value) => {
    const problem = value.length > LONGEST ? 'is too long' : content(value);
    return problem === undefined ? Optional.none : Optional.of([problem]);
  },
  { units: (_, size) => 20 + size, estimate: (_, size) => Math.ceil(size * TEXT_UNITS) },
);

/** `format.dns1123Label().validate(text)`, and `format.named('dns1123Label')` where the name is not known before. */
export function formatLibrary(given: Readonly<Record<string, Format>>): Library {
  const formats = new Map(
    Object.entries({ ...OWN, ...given }).map(([name, check]) => [name, new OpaqueValue(NAME, check, name)]),
  );
  const named = global([text], optional(format), (_, name) => {
    const known = formats.get(name);
    return known ? Optional.of(known) : Optional.none;
  });
  return {
    'format.named': [named],
    validate: [validation],
    ...Object.fromEntries([...formats].map(([name, value]) => [`format.${name}`, [global([], format, () => value)]])),
  };
}
