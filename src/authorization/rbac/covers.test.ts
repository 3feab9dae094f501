import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../kinds/rbac/policy-rule.ts';
import { atOnce } from '../../runtime/pacing.ts';
import { CompiledRule } from './compiled-rule.ts';
import { covers, findUncovered, uncovered } from './covers.ts';
import { escalation as findEscalation } from './escalation.ts';

const on = (verbs: string, apiGroups: string, resources: string, resourceNames?: string[]): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: apiGroups.split(' '),
  resources: resources.split(' '),
  ...(resourceNames && { resourceNames }),
});
const at = (verbs: string, ...nonResourceURLs: string[]): PolicyRule => ({ verbs: verbs.split(' '), nonResourceURLs });

describe('held rules', () => {
  it.each<[string, PolicyRule[], PolicyRule[], boolean]>([
    ['cover nothing asked', [], [], true],
    ['cover themselves', [on('get', 'apps', 'sets')], [on('get', 'apps', 'sets')], true],
    ['cover a part', [on('get list', 'apps batch', 'sets jobs')], [on('list', 'batch', 'jobs')], true],
    ['do not cover more', [on('get', 'apps', 'sets')], [on('get list', 'apps', 'sets')], false],
    [
      'cover together',
      [on('get', 'a', 'x'), on('list', 'a', 'x y'), on('get', 'a', 'y')],
      [on('get list', 'a', 'x y')],
      true,
    ],
    ['cover all with stars', [on('*', '*', '*')], [on('*', '*', '*'), on('get', 'a', 'x/y', ['n'])], true],
    ['cover no star without one', [on('get', '*', '*')], [on('*', 'a', 'x')], false],
    ['cover a subresource of all', [on('get', 'a', '*/scale')], [on('get', 'a', 'x/scale */scale')], true],
    ['cover no object by subresources', [on('get', 'a', '*/scale')], [on('get', 'a', 'scale')], false],
    ['cover some names by all', [on('get', 'a', 'x')], [on('get', 'a', 'x', ['n'])], true],
    ['do not cover all by some names', [on('get', 'a', 'x', ['n'])], [on('get', 'a', 'x')], false],
    [
      'cover names by names',
      [on('get', 'a', 'x', ['n']), on('get', 'a', 'x', ['m'])],
      [on('get', 'a', 'x', ['m', 'n'])],
      true,
    ],
    ['cover paths by a prefix', [at('get', '/a/*')], [at('get', '/a/b', '/a/*', '/a/b/*')], true],
    ['do not cover a prefix by a path', [at('get', '/a/b')], [at('get', '/a/*')], false],
    ['do not cover paths by resources', [on('*', '*', '*')], [at('get', '/a')], false],
    ['do not cover resources by paths', [at('*', '*')], [on('get', 'a', 'x')], false],
  ])('%s', (_, held, requested, expected) => {
    expect(covers(held, requested)).toBe(expected);
  });

  it('leave over what is missing, verb by verb', () => {
    expect(
      uncovered([on('get', 'a', 'x'), at('get', '/a')], [on('get list', 'a b', 'x'), at('get put', '/a')]),
    ).toEqual([on('list', 'a', 'x'), on('get list', 'b', 'x'), at('put', '/a')]);
  });

  it('are not held against a request without end', () => {
    const many = Array.from({ length: 1000 }, (_, i) => `r${i}`);
    const endless: PolicyRule = { verbs: many, apiGroups: many, resources: many, resourceNames: many };
    expect(uncovered([on('get', 'a', 'x')], [endless])).toEqual([endless]);
    const wordy: PolicyRule = { verbs: many, apiGroups: [''], resources: many };
    expect(uncovered([on('get', 'a', 'x')], [wordy])).toEqual([wordy]);
  });

  it('are found by what they are about: many of them do not make each question longer', () => {
    const about = (count: number) => Array.from({ length: count }, (_, i) => on('get', 'a', `r${i}`));
    expect(covers(about(30_000), about(30_000))).toBe(true);
    expect(uncovered(about(30_000), [on('list', 'a', 'r7')])).toEqual([on('list', 'a', 'r7')]);
  });
});

const some = (...words: string[]) => fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 });
const rules = fc.array(
  fc.record(
    {
      verbs: some('get', 'list', '*'),
      apiGroups: some('a', 'b', '*'),
      resources: some('x', 'x/s', '*/s', 'y/s', '*'),
      resourceNames: some('m', 'n'),
    },
    { requiredKeys: ['verbs', 'apiGroups', 'resources'] },
  ),
  { maxLength: 4 },
);

/** Every request that the words above can make, and some that only stars allow. */
const requests = ['get', 'list', 'other'].flatMap((verb) =>
  ['a', 'b', 'other'].flatMap((group) =>
    ['x', 'x/s', 'y/s', 'other', 'other/s', 'other/t'].flatMap((resource) =>
      ['', 'm', 'n', 'other'].map((name) => ({ verb, group, resource, name })),
    ),
  ),
);
const allowedBy = (held: readonly PolicyRule[]) => {
  const compiled = held.map((rule) => new CompiledRule(rule));
  return requests.filter(({ verb, group, resource, name }) =>
    compiled.some(
      (rule) => rule.allowsVerb(verb) && rule.coversResource(group, resource, resource.split('/')[1] ?? '', name),
    ),
  );
};

it('covering rules allow every request that the covered ones allow, and with the missing ones they always do', () => {
  fc.assert(
    fc.property(rules, rules, (held, requested) => {
      const missing = uncovered(held, requested);
      const enough = new Set(allowedBy([...held, ...missing]));
      expect(allowedBy(requested).filter((it) => !enough.has(it))).toEqual([]);
      expect(uncovered([...held, ...missing], requested)).toEqual([]);
      for (const rule of missing) expect(covers(held, [rule])).toBe(false);
      expect(covers(requested, missing)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

const escalation = (...asked: Parameters<typeof findEscalation>): string | undefined =>
  atOnce(findEscalation(...asked));

describe('granting what one does not hold', () => {
  const alice = { name: 'alice', uid: '', groups: ['dev', 'system:authenticated'], extra: new Map() };

  it('lists up to fifty missing rights', () => {
    const text = escalation(
      alice,
      [],
      Array.from({ length: 2_000 }, (_, i) => on('get', 'a', `r${i}`)),
    );
    expect(text?.split('\n')).toHaveLength(52);
    expect(text?.split('\n').at(-1)).toBe('and 1950 more');
  });

  it('rests while very many rights are looked for', () => {
    const wanted = Array.from({ length: 7_000 }, (_, i) => on('get', 'a', `r${i}`));
    expect([...findUncovered([on('get', 'b', '*')], wanted)].length).toBeGreaterThan(6);
  });

  it('is refused with each missing right on a line, in order, its verbs together', () => {
    const held = [on('get', '', 'secrets')];
    expect(escalation(alice, held, [on('*', '', 'secrets configmaps')])).toBe(
      [
        'user "alice" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["*"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["*"]}',
      ].join('\n'),
    );
    expect(
      escalation(alice, held, [on('get', '', 'pods', ['n']), on('list', '', 'pods', ['n']), at('get', '/a')])
        ?.split('\n')
        .slice(1),
    ).toEqual([
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["n"], Verbs:["get" "list"]}',
      '{NonResourceURLs:["/a"], Verbs:["get"]}',
    ]);
  });

  it('does not arise when everything is held', () => {
    expect(escalation(alice, [on('*', '*', '*')], [on('get', '', 'pods')])).toBeUndefined();
  });
});
