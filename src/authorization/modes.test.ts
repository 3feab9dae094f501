import { describe, expect, it } from 'vitest';
import { type Attributes, type Authorizer, type Decision, modesOf } from './attributes.ts';
import { authorizerFor } from './modes.ts';
import { union } from './union.ts';

const request = (...groups: string[]): Attributes => ({
  user: { name: 'alice', uid: '', groups, extra: new Map() },
  verb: 'get',
  resourceRequest: false,
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '/metrics',
});

const answering = (decision: Decision['decision'], reason = ''): Authorizer => ({
  authorize: () => ({ decision, reason }),
});
const later = (decision: Decision['decision'], reason = ''): Authorizer => ({
  authorize: async () => ({ decision, reason }),
});
const unasked: Authorizer = {
  authorize: () => {
    throw new Error('asked in vain');
  },
};

describe('a union', () => {
  it.each<[string, Authorizer[], Decision]>([
    [
      'lets the first to allow decide',
      [answering('abstain', 'a'), answering('allow', 'b'), unasked],
      { decision: 'allow', reason: 'b' },
    ],
    ['lets the first to deny decide', [answering('deny', 'a'), unasked], { decision: 'deny', reason: 'a' }],
    [
      'abstains when all do, with all reasons',
      [answering('abstain', 'a'), answering('abstain'), answering('abstain', 'b')],
      { decision: 'abstain', reason: 'a\nb' },
    ],
    ['abstains when there is nobody to ask', [], { decision: 'abstain', reason: '' }],
  ])('%s', (_, authorizers, decision) => {
    expect(union(authorizers).authorize(request())).toEqual(decision);
  });

  it('waits for those who answer later, in order', async () => {
    const authorizers = [
      answering('abstain', 'a'),
      later('abstain', 'b'),
      answering('abstain', 'c'),
      later('abstain', 'd'),
    ];
    expect(await union(authorizers).authorize(request())).toEqual({ decision: 'abstain', reason: 'a\nb\nc\nd' });
    expect(await union([later('abstain'), later('deny', 'no'), unasked]).authorize(request())).toEqual({
      decision: 'deny',
      reason: 'no',
    });
  });

  it('passes on what kept some from deciding, unless another decides', async () => {
    const failing = (problem: string): Authorizer => ({
      authorize: async () => ({ decision: 'abstain', reason: '', problem }),
    });
    expect(await union([failing('a'), answering('abstain', 'r'), failing('b')]).authorize(request())).toEqual({
      decision: 'abstain',
      reason: 'r',
      problem: 'a\nb',
    });
    const allowed = await union([failing('a'), answering('allow', 'r')]).authorize(request());
    expect(allowed).toEqual({ decision: 'allow', reason: 'r' });
  });

  it('lists the rules of all, and says when one cannot list them', () => {
    const listing: Authorizer = {
      ...answering('abstain'),
      rulesFor: (_, namespace) => ({
        resourceRules: [],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: [`/${namespace}`] }],
        incomplete: false,
        problem: 'p',
      }),
    };
    const { user } = request();
    expect(union([listing, listing]).rulesFor?.(user, 'x')).toEqual({
      resourceRules: [],
      nonResourceRules: [
        { verbs: ['get'], nonResourceURLs: ['/x'] },
        { verbs: ['get'], nonResourceURLs: ['/x'] },
      ],
      incomplete: false,
      problem: 'p\np',
    });
    expect(union([listing, answering('abstain')]).rulesFor?.(user, 'x')).toMatchObject({ incomplete: true });
  });
});

describe('the authorizer for some modes', () => {
  it('asks them in the order given', () => {
    const RBAC = answering('abstain', 'r');
    const Node = answering('abstain', 'n');
    expect(authorizerFor(['RBAC', 'Node'], { RBAC, Node }).authorize(request())).toMatchObject({ reason: 'r\nn' });
    expect(authorizerFor(['Node', 'RBAC'], { RBAC, Node }).authorize(request())).toMatchObject({ reason: 'n\nr' });
    expect(authorizerFor(['AlwaysAllow', 'AlwaysDeny'], {}).authorize(request())).toMatchObject({ decision: 'allow' });
    expect(authorizerFor(['AlwaysDeny', 'AlwaysAllow'], {}).authorize(request())).toMatchObject({ decision: 'deny' });
  });

  it('lets the privileged group do everything before any mode is asked', () => {
    const authorizer = authorizerFor(['Webhook'], { Webhook: unasked });
    expect(authorizer.authorize(request('dev', 'system:masters'))).toMatchObject({ decision: 'allow' });
    expect(() => authorizer.authorize(request('dev'))).toThrow('asked in vain');
  });

  it.each([
    [
      'an unknown mode',
      ['RBAC', 'rbac'],
      'unknown authorization mode "rbac": choose among AlwaysAllow, AlwaysDeny, ABAC,',
    ],
    ['a name that objects have by nature', ['__proto__'], 'unknown authorization mode "__proto__"'],
    ['a mode that is not configured', ['Webhook'], 'authorization mode "Webhook" is not configured'],
    ['a mode given twice', ['RBAC', 'RBAC'], 'authorization mode "RBAC" is given more than once'],
    ['no mode', [], 'no authorization mode given'],
  ])('refuses %s', (_, modes, message) => {
    expect(() => authorizerFor(modes, { RBAC: unasked })).toThrow(message);
  });
});

describe('what several modes say', () => {
  const named = (mode: string, decision: Decision['decision'], reason = ''): Authorizer => ({
    mode,
    authorize: () => ({ decision, reason }),
  });

  it('is kept of who is refused, mode by mode, and of nobody else', () => {
    const inner = union([named('A', 'abstain', 'a'), named('B', 'abstain')]);
    expect(union([inner, named('C', 'deny', 'c'), unasked]).authorize(request())).toEqual({
      decision: 'deny',
      reason: 'c',
      said: [
        { mode: 'A', decision: 'abstain', reason: 'a' },
        { mode: 'B', decision: 'abstain', reason: '' },
        { mode: 'C', decision: 'deny', reason: 'c' },
      ],
    });
    expect(union([inner, named('C', 'allow', 'c')]).authorize(request())).toEqual({ decision: 'allow', reason: 'c' });
  });

  it('is found by asking which modes there are', () => {
    const modes = modesOf(union([union([named('A', 'abstain')]), named('B', 'abstain')]));
    expect(modes.map(({ mode }) => mode)).toEqual(['A', 'B']);
    expect(modesOf(authorizerFor(['AlwaysDeny', 'AlwaysAllow'], {})).map(({ mode }) => mode)).toEqual([
      'PrivilegedGroup',
      'AlwaysDeny',
      'AlwaysAllow',
    ]);
  });
});
