import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../../test/problems-of.ts';
import { TokenRequest } from '../../authentication/v1/token-request.ts';
import { validateTokenRequest } from '../../authentication/v1/token-request-validation.ts';
import {
  validateLocalSubjectAccessReview,
  validateSelfSubjectAccessReview,
  validateSubjectAccessReview,
} from './access-review-validation.ts';
import { LocalSubjectAccessReview } from './local-subject-access-review.ts';
import { SelfSubjectAccessReview } from './self-subject-access-review.ts';
import { SubjectAccessReview } from './subject-access-review.ts';

const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'n' };
const nonResourceAttributes = { path: '/', verb: 'get' };

describe('a question about oneself', () => {
  it.each([
    [{ spec: { resourceAttributes } }, []],
    [{ spec: { nonResourceAttributes } }, []],
    [{ spec: {} }, ['Invalid spec.resourceAttributes']],
    [{ spec: { resourceAttributes, nonResourceAttributes } }, ['Invalid spec.nonResourceAttributes']],
    [{ metadata: { name: 'x' }, spec: { resourceAttributes } }, ['Invalid metadata']],
  ])('%j: %j', (document, causes) => {
    expect(problemsOf(SelfSubjectAccessReview, { validate: validateSelfSubjectAccessReview }, document)).toEqual(
      causes,
    );
  });
});

describe('a question about someone', () => {
  it.each([
    [{ spec: { resourceAttributes, user: 'u' } }, []],
    [{ spec: { resourceAttributes, groups: ['g'] } }, []],
    [{ spec: { resourceAttributes } }, ['Invalid spec.user']],
    [{ metadata: { name: 'x' }, spec: { resourceAttributes, user: 'u' } }, ['Invalid metadata']],
  ])('%j: %j', (document, causes) => {
    expect(problemsOf(SubjectAccessReview, { validate: validateSubjectAccessReview }, document)).toEqual(causes);
  });
});

describe('a question about someone in a namespace', () => {
  const metadata = { namespace: 'n' };

  it.each([
    [{ metadata, spec: { resourceAttributes, user: 'u' } }, []],
    [{ metadata, spec: { resourceAttributes } }, ['Invalid spec.user']],
    [
      { metadata: { namespace: 'm' }, spec: { resourceAttributes, user: 'u' } },
      ['Invalid spec.resourceAttributes.namespace'],
    ],
    [{ metadata, spec: { nonResourceAttributes, user: 'u' } }, ['Invalid spec.nonResourceAttributes']],
    [{ metadata: { ...metadata, name: 'x' }, spec: { resourceAttributes, user: 'u' } }, ['Invalid metadata']],
  ])('%j: %j', (document, causes) => {
    expect(problemsOf(LocalSubjectAccessReview, { validate: validateLocalSubjectAccessReview }, document)).toEqual(
      causes,
    );
  });
});

it.each([
  [600, []],
  [599, ['Invalid spec.expirationSeconds']],
  [2 ** 32 + 1, ['Invalid spec.expirationSeconds']],
])('a token for %d seconds: %j', (expirationSeconds, causes) => {
  expect(problemsOf(TokenRequest, { validate: validateTokenRequest }, { spec: { expirationSeconds } })).toEqual(causes);
});
