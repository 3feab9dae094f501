import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { vocabularies, vocabularyNames } from '../../vocabulary/vocabulary.ts';
import { limitedLevel } from './declare.ts';
import { type FlowObject, LEVELS, mended, SCHEMAS, type Wanted, wantedObjects } from './upkeep.ts';

const v = vocabularies.platform;
const KEY = v.annotations.flowAutoupdateSpec;
/** As the first of the suggested levels has them. */
const QUEUING = { queues: 128, handSize: 6, queueLengthLimit: 50 };

interface Recorded {
  readonly metadata: { readonly name: string; readonly annotations: object };
  readonly spec: object;
}

const referenceFile = new URL('../../../../shared/reference/bootstrap.json', import.meta.url);

describe.skipIf(!existsSync(referenceFile))(
  'the reference (skipped when ../shared/reference/bootstrap.json is absent)',
  () => {
    // Read by the tests alone: what stands here runs also where there is no file, to learn their names.
    const readReference = (): Record<string, readonly Recorded[]> => JSON.parse(readFileSync(referenceFile, 'utf8'));

    it.each([SCHEMAS, LEVELS])('has the %s of the reference and no others', (plural) => {
      const ours = wantedObjects(v)
        .filter((one) => one.plural === plural)
        .map(({ object: { metadata, spec } }) => ({ name: metadata.name, annotations: metadata.annotations, spec }))
        .sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
      const theirs = readReference()[plural]?.map(({ metadata: { name, annotations }, spec }) => ({
        name,
        annotations,
        spec,
      }));
      expect(ours).toEqual(theirs);
    });
  },
);

it('what a server starts with speaks the vocabulary it is given', () => {
  for (const name of vocabularyNames) {
    const text = JSON.stringify(wantedObjects(vocabularies[name]));
    for (const other of vocabularyNames.filter((it) => it !== name)) {
      const { domains, namespaces } = vocabularies[other];
      for (const foreign of [...Object.values(domains), `"${namespaces.system}"`]) expect(text).not.toContain(foreign);
    }
  }
});

describe('a stored object', () => {
  const find = (exactly: boolean): Wanted => {
    const found = wantedObjects(v).find((one) => one.plural === LEVELS && one.exactly === exactly);
    if (!found) throw new Error('there is no such object');
    return found;
  };
  const suggested = find(false);
  const stored = (changed: boolean, said: string | undefined, generation: number): FlowObject => {
    const annotations = { mine: 'too', ...(said === undefined ? {} : { [KEY]: said }) };
    const level = changed ? limitedLevel(v, 'any', 1) : limitedLevel(v, 'any', 20, QUEUING);
    return { ...level, metadata: { ...level.metadata, generation, annotations } };
  };

  it.each([
    [false, 'true', 1, undefined],
    [false, 'false', 1, undefined],
    [true, 'true', 5, { kept: 'true', restored: true }],
    [true, 'false', 1, undefined],
    [true, undefined, 1, { kept: 'true', restored: true }],
    [true, undefined, 2, { kept: 'false', restored: false }],
    [true, 'maybe', 2, { kept: 'false', restored: false }],
    [false, undefined, 1, { kept: 'true', restored: true }],
  ])('changed: %s, said to be kept: %s, of generation %s becomes %j', (changed, said, generation, expected) => {
    const before = stored(changed, said, generation);
    const after = mended(before, suggested, v);
    if (!expected) {
      expect(after).toBeUndefined();
      return;
    }
    const annotations = { mine: 'too', [KEY]: expected.kept };
    expect(after).toMatchObject({
      metadata: { annotations },
      spec: expected.restored ? suggested.object.spec : before.spec,
    });
  });

  it('that the server cannot do without is restored whatever it says', () => {
    const mandatory = find(true);
    expect(mended(stored(true, 'false', 9), mandatory, v)).toMatchObject({
      metadata: { annotations: { [KEY]: 'true' } },
      spec: mandatory.object.spec,
    });
  });
});
