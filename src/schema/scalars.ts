import { isObject } from './json-object.ts';
import { canonicalAmount, canonicalQuantity } from './quantity.ts';
import type { PublishedScalar, ScalarType, ScalarWire } from './scalar-type.ts';
import { scalar, valueScalar } from './schema.ts';
import { canonicalMicroTime, canonicalTime } from './time.ts';
import {
  BOOL_WIRE,
  BYTES_WIRE,
  DOUBLE_WIRE,
  FIELDS_WIRE,
  INT_OR_STRING_WIRE,
  INT32_WIRE,
  INT64_WIRE,
  JSON_WIRE,
  MICRO_TIME_WIRE,
  OBJECT_WIRE,
  QUANTITY_WIRE,
  STRING_ITEMS_WIRE,
  STRING_WIRE,
  TIME_WIRE,
} from './wire-scalars.ts';

const text = (name: string, published: ScalarType['published'], read: (value: string) => string | undefined) => ({
  name,
  expects: 'a string',
  read: (value: unknown) => (typeof value === 'string' ? read(value) : undefined),
  isZero: (value: string) => value === '',
  published,
});

const STRING: ScalarType<string, ''> = {
  ...text('string', { type: 'string' }, (value) => value),
  plain: 'string',
  zero: '',
  empty: '',
  wire: STRING_WIRE,
};

const BOOL: ScalarType<boolean, false> = {
  name: 'bool',
  expects: 'a boolean',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  isZero: (value) => !value,
  plain: 'boolean',
  zero: false,
  empty: false,
  published: { type: 'boolean' },
  wire: BOOL_WIRE,
};

const integer = (
  name: string,
  fits: (value: number) => boolean,
  expects: string,
  wire: ScalarWire<number, 0>,
): ScalarType<number, 0> => ({
  name,
  expects,
  read: (value) => (typeof value === 'number' && fits(value) ? value + 0 : undefined),
  isZero: (value) => value === 0,
  zero: 0,
  empty: 0,
  published: { type: 'integer', format: name },
  wire,
});

const INT32 = integer('int32', (value) => (value | 0) === value, 'a 32-bit integer', INT32_WIRE);

/** JSON numbers past 2^53 have lost digits by the time they are parsed, so they are refused rather than changed. */
const INT64 = integer('int64', Number.isSafeInteger, 'an integer within ±(2^53 - 1)', INT64_WIRE);

const DOUBLE: ScalarType<number, 0> = {
  name: 'double',
  expects: 'a number',
  read: (value) => (typeof value === 'number' ? value : undefined),
  isZero: (value) => value === 0,
  zero: 0,
  empty: 0,
  published: { type: 'number', format: 'double' },
  wire: DOUBLE_WIRE,
};

const BASE64_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** By code, for all codes of one byte. */
const isBase64Letter = Uint8Array.from({ length: 256 }, (_, code) =>
  BASE64_LETTERS.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Letter by letter: an expression takes ten times as long, and texts can have megabytes. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const end = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  for (let at = 0; at < end; at++) if (isBase64Letter[text.charCodeAt(at)] !== 1) return false;
  return true;
}

/** Base64 text. Line breaks inside are tolerated and removed; bits beyond the last byte are cleared. */
function canonicalBase64(value: string): string | undefined {
  const compact = value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]/g, '') : value;
  if (!isBase64(compact)) return undefined;
  return compact.endsWith('=') ? Buffer.from(compact, 'base64').toString('base64') : compact;
}

/** Where text stops being base64: at the first character that cannot stand there, or at the end of what is too short. */
function badBase64(value: string): number {
  const bad = value.search(/[^A-Za-z0-9+/=\r\n]|=(?!=?[\r\n]*$)/);
  return bad < 0 ? value.length : bad;
}

const BYTES: ScalarType<string, null> = {
  ...text('bytes', { type: 'string', format: 'byte' }, canonicalBase64),
  expects: 'base64 text',
  complain: (value) =>
    typeof value === 'string' ? `illegal base64 data at input byte ${badBase64(value)}` : undefined,
  zero: null,
  empty: '',
  wire: BYTES_WIRE,
};

const DATE_TIME = { type: 'string', format: 'date-time' };

const TIME: ScalarType<string, null> = {
  ...text(
    'Time',
    {
      ...DATE_TIME,
      name: 'meta.v1.Time',
      description: 'Point in time to the second, in RFC 3339 form, such as 2022-08-23T12:00:00Z; written in UTC.',
    },
    canonicalTime,
  ),
  expects: 'an RFC 3339 time',
  zero: null,
  empty: null,
  byValue: true,
  wire: TIME_WIRE,
};

const MICRO_TIME: ScalarType<string, null> = {
  ...text(
    'MicroTime',
    {
      ...DATE_TIME,
      name: 'meta.v1.MicroTime',
      description:
        'Point in time to the microsecond, in RFC 3339 form with six digits after the second; written in UTC.',
    },
    canonicalMicroTime,
  ),
  expects: 'an RFC 3339 time with six fraction digits',
  zero: null,
  empty: null,
  byValue: true,
  wire: MICRO_TIME_WIRE,
};

/** In the words that everyone knows who has ever mistyped one. */
const NO_QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** A number is accepted on input and becomes text. */
const quantityWith = (canonical: (text: string) => string | undefined): ScalarType<string, '0'> => ({
  name: 'Quantity',
  expects: 'a quantity such as "500m" or "1Gi" of at most 64 characters',
  complain: (value) => (typeof value === 'string' ? NO_QUANTITY : undefined),
  read: (value) => {
    if (typeof value === 'string') return canonical(value);
    return typeof value === 'number' ? canonical(String(value)) : undefined;
  },
  isZero: () => false,
  zero: '0',
  empty: '0',
  byValue: true,
  published: {
    type: 'string',
    accepts: ['string', 'number'],
    name: 'api.resource.Quantity',
    description:
      'Decimal number with an optional suffix: m for thousandths, k, M, G for powers of 1000, Ki, Mi, Gi for powers of 1024. A plain number is accepted too.',
  },
  wire: QUANTITY_WIRE,
});

const QUANTITY = quantityWith(canonicalQuantity);
const AMOUNT = quantityWith(canonicalAmount);

const INT_OR_STRING: ScalarType<number | string, 0> = {
  name: 'IntOrString',
  expects: 'a 32-bit integer or a string',
  read: (value) => (typeof value === 'string' ? value : INT32.read(value)),
  isZero: () => false,
  zero: 0,
  empty: 0,
  byValue: true,
  published: {
    type: 'string',
    format: 'int-or-string',
    accepts: ['integer', 'string'],
    name: 'util.intstr.IntOrString',
    description:
      'Integer or string; what strings may say depends on the field, usually a percentage such as 25% or the name of a port.',
  },
  wire: INT_OR_STRING_WIRE,
};

const opaque = (
  name: string,
  byValue: boolean,
  published: PublishedScalar,
): ScalarType<{ [key: string]: unknown }, null> => ({
  name,
  expects: 'an object',
  read: (value) => (isObject(value) ? value : undefined),
  isZero: () => false,
  zero: null,
  empty: {},
  byValue,
  open: true,
  published: { type: 'object', ...published },
});

const anyJson = (name: string, published: PublishedScalar): ScalarType<unknown, null> => ({
  name,
  expects: 'any value',
  read: (value) => value,
  isZero: () => false,
  zero: null,
  empty: null,
  open: true,
  published,
});

const RAW_EXTENSION = {
  name: 'runtime.RawExtension',
  description: 'Object of any kind, stored as it was sent, fields the server does not know included.',
};
const FIELDS_V1 = {
  name: 'meta.v1.FieldsV1',
  description:
    'Set of field paths as nested objects: f:<name> is a field, k:<keys> and v:<value> an element of a list, i:<index> a position, and a dot the value itself.',
};
const ANY_JSON = {
  name: 'apiextensions.v1.JSON',
  description: 'Any JSON value: null, boolean, number, string, array or object.',
};

const STRING_ITEMS: ScalarType<string[], null> = {
  name: 'StringItems',
  expects: 'a list of strings',
  read: (value) =>
    Array.isArray(value) && value.every((item): item is string => typeof item === 'string') ? value : undefined,
  isZero: (value) => value.length === 0,
  zero: null,
  empty: [],
  published: { type: 'array', items: { type: 'string' } },
  wire: STRING_ITEMS_WIRE,
};

/** A text. */
export const string = () => scalar(STRING);
/** True or false; false unless it is given. */
export const bool = () => scalar(BOOL);
/** A whole number of 32 bits. */
export const int32 = () => scalar(INT32);
/** A whole number of 64 bits. */
export const int64 = () => scalar(INT64);
/** A number with a fraction. */
export const double = () => scalar(DOUBLE);
/** Binary data, base64 text in JSON. */
export const bytes = () => scalar(BYTES);
/** A moment, in whole seconds. */
export const time = () => valueScalar(TIME);
/** A moment, in microseconds. */
export const microTime = () => valueScalar(MICRO_TIME);
/** An amount with a unit, in its shortest exact spelling. */
export const quantity = () => valueScalar(QUANTITY);
/** How much of a resource: a quantity of which nothing finer than a thousandth is kept. */
export const amount = () => valueScalar(AMOUNT);
/** A whole number or a text, such as a port or a share in percent. */
export const intOrString = () => valueScalar(INT_OR_STRING);
/** Any object, kept as it came. */
export const rawExtension = () => valueScalar({ ...opaque('RawExtension', true, RAW_EXTENSION), wire: OBJECT_WIRE });
/** A set of field paths, as ownership records keep them. It grows with its object, and does not count as part of it. */
export const fieldsV1 = () => scalar({ ...opaque('FieldsV1', false, FIELDS_V1), open: false, wire: FIELDS_WIRE });
/** Any JSON value, inside custom schemas. */
export const json = () => scalar({ ...anyJson('JSON', ANY_JSON), wire: JSON_WIRE });
/** Any JSON value that has no binary form. */
export const anything = () => scalar(anyJson('any', {}));
/** A list of strings that travels wrapped in a message of its own. */
export const stringItems = () => scalar(STRING_ITEMS);
