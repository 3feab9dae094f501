import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedPlane, THINGS, thing } from '../../../test/support/scripted-plane.ts';
import type { AnyObject } from '../../client/plane-client.ts';
import { FollowedResource } from './followed-resource.ts';

const followed: FollowedResource[] = [];

afterEach(() => {
  for (const resource of followed.splice(0)) resource.close();
});

function follow(plane: ScriptedPlane, part: object = {}, resource = new FollowedResource(plane, THINGS)) {
  followed.push(resource);
  resource.turnTo(THINGS);
  const told: string[] = [];
  const tell = (what: string) => (object: AnyObject) => {
    told.push(`${what}${object.metadata.name}@${object.metadata.resourceVersion}`);
  };
  const following = resource.follow(part, { onSet: tell('+'), onRemove: tell('-') });
  return { resource, told, ...following };
}

const namesIn = (resource: FollowedResource): unknown[] =>
  [...resource.each('', '')].map(({ metadata }) => metadata.name);

describe('a resource that several follow', () => {
  it('is listed and watched once', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)]);
    const first = follow(plane);
    const second = follow(plane, { mentions: 'blue' }, first.resource);
    await Promise.all([first.listed, second.listed]);
    await plane.watched(1);
    plane.send('ADDED', thing('b', 6, 'blue'));
    plane.send('MODIFIED', thing('b', 7, 'red'));
    await expect.poll(() => first.told).toEqual(['+a@1', '+b@6', '+b@7']);
    expect(second.told).toEqual(['+b@6', '+b@7']);
    const third = follow(plane, { name: 'b' }, first.resource);
    await third.listed;
    expect(third.told).toEqual(['+b@7']);
    expect([plane.requests.length, plane.watches.length]).toEqual([1, 1]);
  });

  it('holds nothing that nobody asked for, until somebody does', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1, 'blue'), thing('b', 2)]);
    const blue = follow(plane, { mentions: 'blue' });
    await blue.listed;
    await plane.watched(1);
    expect(namesIn(blue.resource)).toEqual(['a']);
    plane.page(6, [thing('a', 1, 'blue'), thing('b', 2)]);
    const all = follow(plane, {}, blue.resource);
    await all.listed;
    expect(all.told).toEqual(['+a@1', '+b@2']);
    expect(blue.told).toEqual(['+a@1']);
    expect(namesIn(blue.resource)).toEqual(['a', 'b']);
  });

  it('tells that all objects are gone when their kind is, and of those that come with it again', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)]);
    const { resource, told, listed } = follow(plane);
    await listed;
    resource.turnTo(undefined);
    expect(told).toEqual(['+a@1', '-a@1']);
    plane.page(9, [thing('z', 8)]);
    resource.turnTo({ ...THINGS, version: 'v2' });
    await expect.poll(() => told).toEqual(['+a@1', '-a@1', '+z@8']);
    expect(plane.requests.at(-1)?.target).toBe('/api/v2/things?limit=500');
  });
});

describe('a resource that is served in another version', () => {
  it('is listed anew: what stayed is told again, and what went meanwhile is told to be gone', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1), thing('b', 2)]);
    const { resource, told, listed } = follow(plane);
    await listed;
    plane.page(9, [thing('b', 2)]);
    resource.turnTo({ ...THINGS, version: 'v2' });
    expect(namesIn(resource)).toEqual(['a', 'b']);
    await expect.poll(() => told.slice(2)).toEqual(['+b@2', '-a@1']);
    expect(resource.get('n', 'b')).toMatchObject({ apiVersion: 'v2' });
    expect(namesIn(resource)).toEqual(['b']);
  });

  it('is known to nobody before it was listed, also when that began in the version before', async () => {
    const plane = new ScriptedPlane();
    plane.page(5, [thing('a', 1)]);
    const { resource, told, listed } = follow(plane);
    resource.turnTo({ ...THINGS, version: 'v2' });
    await listed;
    expect(told).toEqual(['+a@1']);
    expect(resource.get('n', 'a')).toMatchObject({ apiVersion: 'v2' });
  });
});
