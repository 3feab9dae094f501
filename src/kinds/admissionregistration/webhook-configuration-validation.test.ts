import { describe, expect, it } from 'vitest';
import { changed, problemsOf } from '../../../test/problems-of.ts';
import { MutatingWebhookConfiguration } from './mutating-webhook-configuration.ts';
import { ValidatingWebhookConfiguration } from './validating-webhook-configuration.ts';
import {
  validateMutatingWebhookConfiguration,
  validateValidatingWebhookConfiguration,
} from './webhook-configuration-validation.ts';

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods', 'pods/status'] };
const hook = {
  name: 'a.x.y',
  clientConfig: { url: 'https://127.0.0.1:1/x' },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1', 'v7'],
};
const withRule = (change: unknown) => ({ rules: [changed(rule, change)] });
const reached = (clientConfig: unknown) => ({ clientConfig: changed({ url: null }, clientConfig) });
const service = (change: object) => ({
  clientConfig: { url: null, service: { name: 's', namespace: 'n', ...change } },
});

const kinds: [string, (hooks: unknown[]) => string[]][] = [
  [
    'validating',
    (webhooks) =>
      problemsOf(ValidatingWebhookConfiguration, { validate: validateValidatingWebhookConfiguration }, { webhooks }),
  ],
  [
    'mutating',
    (webhooks) =>
      problemsOf(MutatingWebhookConfiguration, { validate: validateMutatingWebhookConfiguration }, { webhooks }),
  ],
];

describe.each(kinds)('a configuration of %s webhooks', (_kind, problems) => {
  const at = 'webhooks[0]';

  it.each([
    [{}, []],
    [service({ port: 8443, path: '/a/b/' }), []],
    [
      withRule({
        operations: ['*'],
        apiGroups: ['*'],
        apiVersions: ['*'],
        resources: ['*', '*/status'],
        scope: 'Cluster',
      }),
      [],
    ],
    [{ name: '' }, [`Required ${at}.name`]],
    [{ name: 'short' }, [`Invalid ${at}.name`]],
    [withRule({ operations: null }), [`Required ${at}.rules[0].operations`]],
    [withRule({ operations: ['READ'] }), [`NotSupported ${at}.rules[0].operations[0]`]],
    [withRule({ operations: ['*', 'CREATE'] }), [`Invalid ${at}.rules[0].operations`]],
    [withRule({ apiGroups: null }), [`Required ${at}.rules[0].apiGroups`]],
    [withRule({ apiGroups: ['*', 'x'] }), [`Invalid ${at}.rules[0].apiGroups`]],
    [withRule({ apiVersions: null }), [`Required ${at}.rules[0].apiVersions`]],
    [withRule({ apiVersions: ['*', 'v1'] }), [`Invalid ${at}.rules[0].apiVersions`]],
    [withRule({ apiVersions: [''] }), [`Required ${at}.rules[0].apiVersions[0]`]],
    [withRule({ resources: null }), [`Required ${at}.rules[0].resources`]],
    [withRule({ resources: [''] }), [`Required ${at}.rules[0].resources[0]`]],
    [withRule({ resources: ['*/*', 'a'] }), [`Invalid ${at}.rules[0].resources`]],
    [withRule({ resources: ['*', 'a'] }), [`Invalid ${at}.rules[0].resources`]],
    [withRule({ resources: ['a/*', 'a/b'] }), [`Invalid ${at}.rules[0].resources[1]`]],
    [withRule({ resources: ['*/b', 'a/b'] }), [`Invalid ${at}.rules[0].resources[1]`]],
    [withRule({ scope: 'Galaxy' }), [`NotSupported ${at}.rules[0].scope`]],
    [{ failurePolicy: 'Shrug' }, [`NotSupported ${at}.failurePolicy`]],
    [{ matchPolicy: 'Loose' }, [`NotSupported ${at}.matchPolicy`]],
    [{ sideEffects: null }, [`Required ${at}.sideEffects`]],
    [{ sideEffects: 'Unknown' }, [`NotSupported ${at}.sideEffects`]],
    [{ timeoutSeconds: 0 }, [`Invalid ${at}.timeoutSeconds`]],
    [{ timeoutSeconds: 31 }, [`Invalid ${at}.timeoutSeconds`]],
    [{ namespaceSelector: { matchLabels: { a: 'b c' } } }, [`Invalid ${at}.namespaceSelector.matchLabels`]],
    [{ objectSelector: { matchLabels: { a: 'b c' } } }, [`Invalid ${at}.objectSelector.matchLabels`]],
    [{ admissionReviewVersions: null }, [`Required ${at}.admissionReviewVersions`]],
    [{ admissionReviewVersions: ['v7'] }, [`Invalid ${at}.admissionReviewVersions`]],
    [{ admissionReviewVersions: ['v1', 'v1'] }, [`Invalid ${at}.admissionReviewVersions[1]`]],
    [{ admissionReviewVersions: ['v1', '7'] }, [`Invalid ${at}.admissionReviewVersions[1]`]],
    [reached({}), [`Required ${at}.clientConfig`]],
    [reached({ url: 'https://a', service: { name: 's', namespace: 'n' } }), [`Required ${at}.clientConfig`]],
    [reached({ url: 'http://127.0.0.1/' }), [`Invalid ${at}.clientConfig.url`]],
    [reached({ url: 'https:///x' }), [`Invalid ${at}.clientConfig.url`]],
    [reached({ url: 'https://u:p@127.0.0.1/' }), [`Invalid ${at}.clientConfig.url`]],
    [reached({ url: 'https://127.0.0.1/?a=b' }), [`Invalid ${at}.clientConfig.url`]],
    [reached({ url: 'https://127.0.0.1/#a' }), [`Invalid ${at}.clientConfig.url`]],
    [reached({ url: 'https://a b/' }), [`Required ${at}.clientConfig.url`]],
    [service({ name: '' }), [`Required ${at}.clientConfig.service.name`]],
    [service({ namespace: '' }), [`Required ${at}.clientConfig.service.namespace`]],
    [service({ port: 0 }), [`Invalid ${at}.clientConfig.service.port`]],
    [service({ path: 'a' }), [`Invalid ${at}.clientConfig.service.path`]],
    [service({ path: '//' }), [`Invalid ${at}.clientConfig.service.path`]],
    [service({ path: '/a//b' }), [`Invalid ${at}.clientConfig.service.path`]],
    [service({ path: '/A' }), [`Invalid ${at}.clientConfig.service.path`]],
  ])('with %j: %j', (change, causes) => {
    expect(problems([changed(hook, change)])).toEqual(causes);
  });

  it('tells its webhooks apart by name', () => {
    expect(problems([hook, hook])).toEqual(['Duplicate webhooks[1].name']);
  });
});

it('calls mutating webhooks again only as it knows how', () => {
  const webhooks = [{ ...hook, reinvocationPolicy: 'Often' }];
  const rules = { validate: validateMutatingWebhookConfiguration };
  expect(problemsOf(MutatingWebhookConfiguration, rules, { webhooks })).toEqual([
    'NotSupported webhooks[0].reinvocationPolicy',
  ]);
});
