import { expect, it } from 'vitest';
import { everyType } from '../../../kinds/built-in.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import * as library from '../../index.ts';
import type { KindNames } from '../object-kind.ts';

const isKind = (value: unknown): value is KindNames => typeof value === 'object' && value !== null && 'plural' in value;

const row = ({ group, version, plural, kind, namespaced }: KindNames): string =>
  `${group}/${version} ${plural} ${kind} ${namespaced ? 'in namespaces' : 'cluster-wide'}`;

it('the kinds of the library are those that the server has by itself, or once a feature is on', () => {
  const exported = Object.values(library).filter(isKind).map(row);
  // Earlier versions of what a feature brings say the same as the last one.
  const served = everyType(vocabularies.platform).filter(({ feature, version }) => !feature || version === 'v1');
  expect(exported.sort()).toEqual(served.map(row).sort());
});

it('a kind is exported under its own name, with its version where that is not the usual one', () => {
  const names = Object.entries(library).flatMap(([name, value]) => (isKind(value) ? [[name, value] as const] : []));
  const renamed = names.filter(([name, { kind }]) => name !== kind).map(([name, kind]) => `${name}: ${row(kind)}`);
  const events = vocabularies.platform.groups.events;
  expect(renamed.filter((text) => !text.startsWith(`EventsEvent: ${events}/v1 `))).toEqual(
    names
      .filter(([name, { kind, version }]) => name === `${kind}V${version.slice(1)}`)
      .map(([name, kind]) => `${name}: ${row(kind)}`),
  );
});
