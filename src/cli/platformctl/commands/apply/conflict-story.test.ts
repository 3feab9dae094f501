import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../../../client/plane-client.ts';
import { conflictStory, valueAt } from './conflict-story.ts';

const document = {
  spec: {
    replicas: 3,
    containers: [
      {
        name: 'a',
        ports: [
          { containerPort: 80, protocol: 'TCP' },
          { containerPort: 80, protocol: 'UDP', name: 'x' },
        ],
      },
      { name: 'odd "name"', image: 'i' },
    ],
    finalizers: ['one', 'two'],
  },
};

describe('a path of the plane', () => {
  it.each([
    ['.spec.replicas', 3],
    ['.spec.containers[name="a"].name', 'a'],
    ['.spec.containers[name="a"].ports[containerPort=80,protocol="UDP"].name', 'x'],
    ['.spec.containers[name="odd \\"name\\""].image', 'i'],
    ['.spec.finalizers[="two"]', 'two'],
    ['.spec.containers[1].image', 'i'],
    ['.spec.nothing.here', undefined],
    ['.spec.replicas[name="a"]', undefined],
    ['.constructor', undefined],
  ])('%s leads to %j', (path, value) => {
    expect(valueAt(document, path)).toEqual(value);
  });
});

describe('the story of conflicts', () => {
  const live = (time: string): AnyObject =>
    ({
      kind: 'Thing',
      apiVersion: 'v1',
      metadata: { name: 'a', managedFields: [{ manager: 'other', operation: 'Update', apiVersion: 'v1', time }] },
      spec: { replicas: 5 },
    }) as unknown as AnyObject;
  const now = Date.parse('2026-01-02T00:00:00Z');
  const told = (message: string, field = '.spec.replicas'): string =>
    conflictStory({
      name: 'thing/a',
      causes: [{ message, field }],
      live: live('2026-01-01T22:00:00Z'),
      wanted: document,
      now,
    });

  it('says when a manager wrote a field, from the record of the object where the refusal does not', () => {
    expect(told('conflict with "other" using v1')).toContain('other, by a change, 2026-01-01T22:00:00Z (2 hours ago)');
    expect(told('conflict with "other" using v1 at 2026-01-01T23:59:59Z')).toContain('(1 second ago)');
    expect(told('conflict with "other" with subresource "status" using v1')).toContain(
      'other, by a change of its status',
    );
  });

  it('passes on what it does not understand', () => {
    expect(told('something new')).toContain('managed by  something new');
  });

  it('tells of a field once, however many manage it, and of what is not there', () => {
    const causes = ['a', 'b'].map((manager) => ({ message: `conflict with "${manager}"`, field: '.spec.gone' }));
    const story = conflictStory({ name: 'thing/a', causes, live: undefined, wanted: {}, now });
    expect(story.match(/\.spec\.gone/g)).toHaveLength(1);
    expect(story.match(/managed by {2}/g)).toHaveLength(2);
    expect(story).toContain('theirs      (nothing)');
  });

  it('counts the rest where there are very many', () => {
    const causes = Array.from({ length: 60 }, (_, at) => ({ message: 'conflict with "a"', field: `.spec.f${at}` }));
    expect(conflictStory({ name: 'thing/a', causes, live: undefined, wanted: {}, now })).toContain('… and 10 more');
  });
});
