import { describe, expect, it } from 'vitest';
import { systemRuntime } from '../../src/runtime/runtime.ts';
import { type NewOwner, readFoundation, writeFoundation } from '../../src/testing/foundation-text.ts';
import { foundationTextOf, preparedPlane } from '../../src/testing/prepared-planes.ts';

const MADE = Date.parse('2024-02-28T23:59:58Z');
const ONE = '11111111-2222-3333-4444-555555555555';
const OTHER = '99999999-2222-3333-4444-555555555555';
const AUTHORITY = '-----BEGIN CERTIFICATE-----\nA\n';

const version = (revision: number, key: string, object: object) => ({
  ...{ revision, key, deleted: false, time: MADE },
  bytes: Buffer.from(JSON.stringify(object)),
});

const written = writeFoundation({
  settings: '{"a":1}',
  made: MADE,
  authority: AUTHORITY,
  versions: [
    version(3, '/maps/a', { uid: ONE, created: '2024-02-28T23:59:58Z', ca: AUTHORITY, of: 'é 2024-02-28T23:59:58Z' }),
    version(7, '/maps/b', { uid: OTHER, owner: ONE, at: '2024-02-29T00:00:01.000250Z' }),
  ],
});

function owner(settings = '{"a":1}'): NewOwner {
  let made = 0;
  const uuid = () => `00000000-0000-0000-0000-00000000000${++made}`;
  return { settings, authority: 'B\n', made: Date.parse('2026-01-01T12:00:00.700Z'), uuid };
}

/** What the objects of all versions say, but for what is told anew whenever they are made. */
const timeless = (versions: Iterable<{ readonly key: string; readonly bytes: Buffer }>) =>
  Object.fromEntries(
    [...versions].map(({ key, bytes }) => [
      key,
      bytes
        .toString()
        .replaceAll(/"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, 'uid')
        .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, 'time')
        .replaceAll(/"resourceVersion":"\d+"/g, 'revision'),
    ]),
  );

describe('what a plane begins with, as text', () => {
  it('is read as if it had been made at another time, by somebody else', () => {
    const versions = readFoundation(written, owner());
    expect(versions?.map(({ revision, key, bytes }) => [revision, key, JSON.parse(bytes.toString())])).toEqual([
      [
        ...[3, '/maps/a'],
        {
          uid: '00000000-0000-0000-0000-000000000001',
          created: '2026-01-01T12:00:00Z',
          ca: 'B\n',
          of: 'é 2024-02-28T23:59:58Z',
        },
      ],
      [
        ...[7, '/maps/b'],
        {
          uid: '00000000-0000-0000-0000-000000000002',
          owner: '00000000-0000-0000-0000-000000000001',
          at: '2026-01-01T12:00:03.000250Z',
        },
      ],
    ]);
  });

  it('says nothing of other settings', () => {
    expect(readFoundation(written, owner('{"a":2}'))).toBeUndefined();
  });

  it.each(['platform', 'kubernetes'] as const)(
    'is what starting a plane comes to, in the words of %s',
    async (vocabulary) => {
      const options = { store: 'memory', vocabulary } as const;
      const { disk, pki } = await preparedPlane(options);
      const text = await foundationTextOf(options);
      const [first = ''] = text.split('\n');
      const { settings } = JSON.parse(first);
      const { certificate } = pki.ca;
      const made = systemRuntime.now();
      const versions = readFoundation(text, { settings, authority: certificate, made, uuid: systemRuntime.uuid }) ?? [];
      expect(timeless(versions)).toEqual(timeless(disk.versions.values()));
      expect(Object.keys(timeless(versions)).length).toBeGreaterThan(150);
      const times = versions.map(({ bytes }) => JSON.parse(bytes.toString()).metadata.creationTimestamp);
      const second = 1000;
      for (const time of times) expect(Math.abs(Date.parse(time) - made)).toBeLessThan(10 * second);
    },
  );
});
