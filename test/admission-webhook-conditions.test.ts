import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rule, type Sort, WebhookPlane } from './support/webhook-plane.ts';
import { allowing, refusing } from './support/webhook-server.ts';

let ground: WebhookPlane;

beforeAll(async () => {
  ground = await WebhookPlane.start({ featureGates: ['AdmissionWebhookMatchConditions=true'] });
});
afterAll(() => ground.close());

const condition = (expression: string, name = 'only') => ({ name, expression });

describe.each<Sort>(['mutating', 'validating'])('conditions of %s webhooks', (sort) => {
  it.each([
    [[condition("object.data.kind == 'asked'")], { kind: 'asked' }, true],
    [[condition("object.data.kind == 'asked'")], { kind: 'other' }, false],
    [[condition('true', 'a'), condition('false', 'b')], {}, false],
    [[condition("request.operation == 'CREATE' && oldObject == null")], {}, true],
    [[condition("authorizer.group('').resource('pods').check('get').allowed()")], {}, true],
    [[condition('object.data.none == 1', 'a'), condition('false', 'b')], {}, false],
  ])('%j, with %j: called %s', async (matchConditions, data, isCalled) => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('condition')}`;
    ground.hooks.at(path, allowing);
    await ground.configure(sort, [ground.webhook(path, namespace, { matchConditions, ...rule(['configmaps']) })]);
    const target = `/api/v1/namespaces/${namespace}/configmaps`;
    await ground.done('POST', target, { metadata: { name: 'a' }, data });
    expect(ground.hooks.callsTo(path)).toHaveLength(isCalled ? 1 : 0);
  });

  it.each([
    ['Fail', 403],
    ['Ignore', 201],
  ])('that cannot be evaluated keep a webhook from being called: with %s, %i', async (failurePolicy, code) => {
    const namespace = await ground.namespace();
    const path = `/${ground.fresh('condition')}`;
    ground.hooks.at(path, refusing);
    const matchConditions = [condition('object.data.none == 1')];
    await ground.configure(sort, [ground.webhook(path, namespace, { matchConditions, failurePolicy })]);
    const { status, text } = await ground.createConfigMap(namespace);
    expect(status, text).toBe(code);
    expect(ground.hooks.callsTo(path)).toHaveLength(0);
    if (code === 403) expect(text).toContain("expression 'object.data.none == 1' resulted in error: no such key: data");
  });

  it.each([
    [[condition('object.')], 'webhooks[0].matchConditions[0].expression'],
    [[condition('1 + 1')], 'webhooks[0].matchConditions[0].expression'],
    [[condition('params == null')], 'webhooks[0].matchConditions[0].expression'],
    [[condition('true'), condition('true')], 'webhooks[0].matchConditions[1].name'],
    [[condition('', 'a')], 'webhooks[0].matchConditions[0].expression'],
    [[condition(`'${'x'.repeat(100_000)}' == ''`)], 'webhooks[0].matchConditions[0].expression'],
    [Array.from({ length: 65 }, (_, at) => condition('true', `c${at}`)), 'webhooks[0].matchConditions'],
  ])('are refused where they make no sense (%#)', async (matchConditions, field) => {
    const configuration = ground.configure(sort, [ground.webhook('/never', 'none', { matchConditions })]);
    await expect(configuration).rejects.toThrow(`"field":"${field}"`);
  });
});

it('conditions are dropped while their feature is off', async () => {
  const off = await WebhookPlane.start();
  try {
    const namespace = await off.namespace();
    off.hooks.at('/off', allowing);
    await off.configured('validating', [off.webhook('/off', namespace, { matchConditions: [condition('false')] })]);
    await off.createConfigMap(namespace);
    expect(off.hooks.callsTo('/off')).toHaveLength(1);
  } finally {
    await off.close();
  }
});
