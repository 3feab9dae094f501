import { isDeepStrictEqual } from 'node:util';
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { compileExpression } from '../../src/cel/expression.ts';
import { standardFunctions } from '../../src/cel/functions/standard.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeText,
  UINT,
} from '../../src/cel/types/type.ts';
import { equals } from '../../src/cel/values/equality.ts';
import { MapBuilder } from '../../src/cel/values/map-builder.ts';
import { Meter } from '../../src/cel/values/meter.ts';
import { Double, toInt, toUint } from '../../src/cel/values/numbers.ts';
import { parseDuration, parseTimestamp } from '../../src/cel/values/time.ts';
import { Failure, TypeValue, typeNameOf } from '../../src/cel/values/values.ts';
import { atOnce } from '../../src/runtime/pacing.ts';

/** The public vectors, and what our engine makes of them. */

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly Vector[];
}

export interface Vector {
  readonly original: Readonly<Record<string, unknown>> & { readonly name?: string; readonly expr: string };
  readonly type?: string;
  readonly error?: string;
}

type Json = Readonly<Record<string, unknown>>;

const ROOT: Suite = tests;

const vectorsIn = (suite: Suite): readonly Vector[] => [
  ...(suite.tests ?? []),
  ...(suite.suites ?? []).flatMap(vectorsIn),
];

/** Vectors by the file they come from. */
export const vectorFiles: ReadonlyMap<string, readonly Vector[]> = new Map(
  (ROOT.suites ?? []).map((file) => [file.name, vectorsIn(file)]),
);

/** Why a vector is not for us; undefined if it is. Documents are JSON: there are no messages of protocol buffers. */
export function excluded(file: string, { original, error }: Vector): string | undefined {
  if (file === 'block_ext') return 'an internal form of another implementation, not of the language';
  const { expr, container, typeEnv, bindings, value, typedResult, disableCheck } = original;
  if (disableCheck === true && error !== undefined && !('evalError' in original)) return 'rules are always checked';
  const values = JSON.stringify([typeEnv, bindings, value, typedResult]) ?? '';
  const wellKnown = values.replaceAll(/google\.protobuf\.(?:Timestamp|Duration)\b/g, '');
  const namesMessage = /\b(?:TestAllTypes|NestedTestAllTypes|TestRequired|GlobalEnum|NullValue|proto\.)/.test(expr);
  const makesMessage = /google\.protobuf\.\w+\s*\{/.test(expr) || /\bconformance\.proto[23]\b/.test(expr);
  const isMessage = /messageType|type\.googleapis\.com\/(?!")|enumValue|wrapper/.test(wellKnown);
  if (/"function":/.test(values)) return 'functions that the vector declares';
  const inPackage = typeof container === 'string' && /^(?:cel\.expr\.conformance|google\.protobuf)/.test(container);
  return namesMessage || makesMessage || isMessage || inPackage ? 'messages of protocol buffers' : undefined;
}

const PRIMITIVES: Readonly<Record<string, Type>> = {
  BOOL,
  INT64: INT,
  UINT64: UINT,
  DOUBLE,
  STRING,
  BYTES,
};

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const part = (value: Json, name: string): Json => {
  const inner = value[name];
  return isJson(inner) ? inner : {};
};

function declared(type: Json): Type {
  if ('primitive' in type) return PRIMITIVES[String(type.primitive)] ?? DYN;
  if ('wellKnown' in type)
    return type.wellKnown === 'TIMESTAMP' ? TIMESTAMP : type.wellKnown === 'DURATION' ? DURATION : DYN;
  if ('listType' in type) return listOf(declared(part(part(type, 'listType'), 'elemType')));
  if ('mapType' in type) {
    const map = part(type, 'mapType');
    return mapOf(declared(part(map, 'keyType')), declared(part(map, 'valueType')));
  }
  if ('null' in type) return NULL;
  if ('abstractType' in type) {
    const [of] = (part(type, 'abstractType').parameterTypes as readonly Json[] | undefined) ?? [];
    return optionalOf(of ? declared(of) : DYN);
  }
  return DYN;
}

function numberOf(value: unknown): number {
  if (value === 'Infinity' || value === '-Infinity' || value === 'NaN') return Number(value);
  return Number(value);
}

function valueOfVector(value: Json): unknown {
  if ('int64Value' in value) return toInt(BigInt(String(value.int64Value)));
  if ('uint64Value' in value) return toUint(BigInt(String(value.uint64Value)));
  if ('doubleValue' in value) return new Double(numberOf(value.doubleValue));
  if ('stringValue' in value) return value.stringValue;
  if ('boolValue' in value) return value.boolValue;
  if ('bytesValue' in value) return Uint8Array.from(Buffer.from(String(value.bytesValue), 'base64'));
  if ('nullValue' in value) return null;
  if ('typeValue' in value) return new TypeValue(String(value.typeValue));
  if ('listValue' in value) {
    const { values = [] } = part(value, 'listValue') as { values?: readonly Json[] };
    return values.map(valueOfVector);
  }
  if ('mapValue' in value) {
    const { entries = [] } = part(value, 'mapValue') as { entries?: readonly Json[] };
    const map = new MapBuilder();
    for (const entry of entries) map.add(valueOfVector(part(entry, 'key')), valueOfVector(part(entry, 'value')));
    return map.entries;
  }
  const { '@type': type, value: text } = part(value, 'objectValue');
  if (String(type).endsWith('.Timestamp')) return parseTimestamp(String(text));
  if (String(type).endsWith('.Duration')) return parseDuration(String(text));
  return undefined;
}

const UNITS = 1_000_000;
const functions = standardFunctions();

/** Undefined when our engine does what the vector says, else what it does instead. */
export function runVector({ original, type }: Vector): string | undefined {
  const declarations = (original.typeEnv as readonly Json[] | undefined) ?? [];
  const bindings = part(original, 'bindings');
  const variables = new Map(
    declarations.map((one) => [String(one.name), declared(part(part(one, 'ident'), 'type'))] as const),
  );
  for (const name of Object.keys(bindings)) if (!variables.has(name)) variables.set(name, DYN);
  const container = typeof original.container === 'string' ? { container: original.container } : {};
  const compiled = compileExpression(original.expr, { variables, functions, allowsMixedLiterals: true, ...container });
  if ('issues' in compiled) {
    // We always check: what fails in the check would have failed when evaluated.
    const isExpected = 'evalError' in original;
    return isExpected ? undefined : `does not compile: ${compiled.issues.map(({ message }) => message).join('; ')}`;
  }
  const { program } = compiled;
  if ('typedResult' in original && type !== undefined && typeText(program.type) !== type) {
    return `is of type ${typeText(program.type)}, not ${type}`;
  }
  if (original.checkOnly === true) return undefined;
  const values = [...variables.keys()].map((name) => valueOfVector(part(part(bindings, name), 'value')));
  const { value, isExhausted } = program.evaluate(values, UNITS);
  const inSteps = atOnce(program.evaluateWithRests(values, UNITS));
  if (!isDeepStrictEqual(inSteps.value, value)) return 'differs when it is evaluated in steps';
  if (isExhausted) return 'costs too much';
  if ('evalError' in original) return value instanceof Failure ? undefined : `gives ${shown(value)}, not an error`;
  const { typedResult } = original;
  const expected =
    'value' in original ? original.value : isJson(typedResult) ? typedResult.result : { boolValue: true };
  const wanted = valueOfVector(isJson(expected) ? expected : {});
  const isNaNs = value instanceof Double && wanted instanceof Double && Object.is(value.value, wanted.value);
  const isSame = isNaNs || (typeNameOf(value) === typeNameOf(wanted) && equals(new Meter(UNITS), value, wanted));
  return isSame ? undefined : `gives ${shown(value)}, not ${shown(wanted)}`;
}

const shown = (value: unknown): string =>
  value instanceof Failure
    ? `failure ${value.message}`
    : JSON.stringify(value, (_, inner) =>
        typeof inner === 'bigint' ? `${inner}n` : inner instanceof Map ? [...inner] : inner,
      );
