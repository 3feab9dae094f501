import { countValues, DEEPEST, depthOf } from './document-limits.ts';
import type { ScalarWire } from './scalar-type.ts';
import { microTimeOf, secondsOf, timeOf } from './time.ts';
import { DELIMITED, FIXED64, tagOf, VARINT, WireError } from './wire.ts';
import type { WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** How each scalar travels in binary. Messages are written last field first: see WireWriter. */

export const STRING_WIRE: ScalarWire<string, ''> = {
  wireType: DELIMITED,
  byValue: true,
  write: (writer, value) => writer.string(value),
  read: (reader) => reader.string(),
};

export const BOOL_WIRE: ScalarWire<boolean, false> = {
  wireType: VARINT,
  byValue: true,
  write: (writer, value) => writer.bool(value),
  read: (reader) => reader.bool(),
};

export const INT32_WIRE: ScalarWire<number, 0> = {
  wireType: VARINT,
  byValue: true,
  write: (writer, value) => writer.integer(value),
  read: (reader) => reader.int32(),
};

export const INT64_WIRE: ScalarWire<number, 0> = { ...INT32_WIRE, read: (reader) => reader.int64() };

export const DOUBLE_WIRE: ScalarWire<number, 0> = {
  wireType: FIXED64,
  byValue: true,
  write: (writer, value) => writer.double(value),
  read: (reader) => reader.double(),
};

export const BYTES_WIRE: ScalarWire<string, null> = {
  wireType: DELIMITED,
  byValue: false,
  write: (writer, value) => writer.base64(value ?? ''),
  read: (reader) => reader.base64(),
};

/** A scalar that is a message of its own. `write` writes its fields, `read` reads them until there are no more. */
function message<Type, Zero>(
  byValue: boolean,
  write: (writer: WireWriter, value: Type | Zero) => void,
  read: (reader: WireReader) => unknown,
): ScalarWire<Type, Zero> {
  return {
    wireType: DELIMITED,
    byValue,
    write(writer, value) {
      const before = writer.size;
      write(writer, value);
      writer.varint(writer.size - before);
    },
    read(reader) {
      const outer = reader.enter();
      const value = read(reader);
      reader.leave(outer);
      return value;
    },
  };
}

const SECONDS = tagOf(1, VARINT);
const NANOS = tagOf(2, VARINT);

/** An unset time is an empty message. */
function writeTimestamp(writer: WireWriter, text: string | null, nanos: number): void {
  if (!text) return;
  writer.integer(nanos);
  writer.varint(NANOS);
  writer.integer(secondsOf(text));
  writer.varint(SECONDS);
}

function readTimestamp(reader: WireReader, format: (seconds: number, nanos: number) => string | undefined) {
  if (!reader.more) return null;
  let seconds = 0;
  let nanos = 0;
  while (reader.more) {
    const tag = reader.tag();
    if (tag === SECONDS) seconds = reader.int64();
    else if (tag === NANOS) nanos = reader.int32();
    else reader.skipAbove(2, tag);
  }
  const text = format(seconds, nanos);
  if (text === undefined) throw reader.malformed('a time is out of range');
  return text;
}

/** Fractions of a second are neither written nor read. */
export const TIME_WIRE = message<string, null>(
  true,
  (writer, value) => writeTimestamp(writer, value, 0),
  (reader) => readTimestamp(reader, timeOf),
);

const FRACTION = '2006-01-02T15:04:05.'.length;

export const MICRO_TIME_WIRE = message<string, null>(
  true,
  (writer, value) => writeTimestamp(writer, value, Number(value?.slice(FRACTION, FRACTION + 6)) * 1000),
  (reader) => readTimestamp(reader, microTimeOf),
);

const TEXT = tagOf(1, DELIMITED);

export const QUANTITY_WIRE = message<string, '0'>(
  true,
  (writer, value) => {
    writer.string(value);
    writer.varint(TEXT);
  },
  (reader) => {
    let text = '0';
    while (reader.more) {
      const tag = reader.tag();
      if (tag === TEXT) text = reader.string();
      else reader.skipAbove(1, tag);
    }
    return text;
  },
);

const FORM = tagOf(1, VARINT);
const NUMBER = tagOf(2, VARINT);
const STRING = tagOf(3, DELIMITED);
const IS_NUMBER = 0;
const IS_STRING = 1;

export const INT_OR_STRING_WIRE = message<number | string, 0>(
  true,
  (writer, value) => {
    const isString = typeof value === 'string';
    writer.string(isString ? value : '');
    writer.varint(STRING);
    writer.integer(isString ? 0 : value);
    writer.varint(NUMBER);
    writer.varint(isString ? IS_STRING : IS_NUMBER);
    writer.varint(FORM);
  },
  (reader) => {
    let form = IS_NUMBER;
    let number = 0;
    let text = '';
    while (reader.more) {
      const tag = reader.tag();
      if (tag === FORM) form = reader.int64();
      else if (tag === NUMBER) number = reader.int32();
      else if (tag === STRING) text = reader.string();
      else reader.skipAbove(3, tag);
    }
    if (form !== IS_NUMBER && form !== IS_STRING) throw reader.malformed(`${form} is neither integer nor string`);
    return form === IS_STRING ? text : number;
  },
);

const RAW = tagOf(1, DELIMITED);

/** JSON as compact text in a message of its own; an unset value is an empty message. */
const jsonText = <Type>(byValue: boolean) =>
  message<Type, null>(
    byValue,
    (writer, value) => {
      if (value === null || value === undefined) return;
      writer.string(JSON.stringify(value));
      writer.varint(RAW);
    },
    (reader) => {
      let text = '';
      while (reader.more) {
        const tag = reader.tag();
        if (tag === RAW) text = reader.string();
        else reader.skipAbove(1, tag);
      }
      if (text === '') return null;
      const value = parseJson(text);
      reader.count(countValues(value, reader.valuesLeft));
      return value;
    },
  );

function parseJson(text: string): unknown {
  const value = parsed(text);
  if (depthOf(value) > DEEPEST) throw new WireError(`embedded JSON nests deeper than ${DEEPEST} levels`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WireError(`embedded JSON is not valid: ${error instanceof Error ? error.message : error}`);
  }
}

export const OBJECT_WIRE = jsonText<{ [key: string]: unknown }>(true);
export const FIELDS_WIRE = jsonText<{ [key: string]: unknown }>(false);
export const JSON_WIRE = jsonText<unknown>(false);

const ITEM = tagOf(1, DELIMITED);

export const STRING_ITEMS_WIRE = message<string[], null>(
  false,
  (writer, value) => {
    for (const item of value?.toReversed() ?? []) {
      writer.string(item);
      writer.varint(ITEM);
    }
  },
  (reader) => {
    const items: string[] = [];
    while (reader.more) {
      const tag = reader.tag();
      reader.count(1);
      if (tag === ITEM) items.push(reader.string());
      else reader.skipAbove(1, tag);
    }
    return items;
  },
);
