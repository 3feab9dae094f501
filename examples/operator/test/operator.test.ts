import { ConfigMap, Service, ValidatingWebhookConfiguration } from 'platform-apiserver/client';
import { startTestPlane, type TestNamespace, type TestPlane } from 'platform-apiserver/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runReconciler } from '../src/reconciler.ts';
import { serveWebhook } from '../src/webhook.ts';
import { Website } from '../src/website.ts';
import { selfSigned } from './certificate.ts';

let plane: TestPlane;
let namespace: TestNamespace;
const errors: unknown[] = [];

beforeAll(async () => {
  plane = await startTestPlane();
  await plane.apply(new URL('../manifests', import.meta.url).pathname);
  const certificate = await selfSigned();
  const webhook = await serveWebhook(plane.client, certificate);
  plane.atStop(() => webhook.close());
  await plane.client.of(ValidatingWebhookConfiguration).create(asking(webhook.url, certificate.cert));
  const reconciler = await runReconciler(plane.client, (_key, error) => errors.push(error));
  plane.atStop(() => reconciler.close());
});
afterAll(() => plane.stop());

beforeEach(async () => {
  namespace = await plane.namespace();
  // A namespace that is on its way out refuses what the reconciler still wants to write there.
  errors.length = 0;
});
afterEach(async () => {
  expect(errors).toEqual([]);
  await namespace.delete();
});

/** Has the plane ask the webhook about each website that is written. */
const asking = (url: string, authority: string) => ({
  metadata: { name: 'websites' },
  webhooks: [
    {
      name: 'domain.example.com',
      clientConfig: { url, caBundle: Buffer.from(authority).toString('base64') },
      rules: [
        { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['websites'], operations: ['CREATE', 'UPDATE'] },
      ],
      sideEffects: 'None' as const,
      admissionReviewVersions: ['v1'],
    },
  ],
});

const websites = () => plane.client.of(Website).inNamespace(namespace.name);
const maps = () => plane.client.of(ConfigMap).inNamespace(namespace.name);
const create = (name: string, domain: string) =>
  websites().create({ metadata: { name }, spec: { domain, pages: { 'index.html': 'Hello' } } });

describe('the reconciler', () => {
  it('makes a config map and a service of a website, and says which generation it has seen', async () => {
    await create('home', 'home.example.com');
    await expect.poll(async () => (await websites().get('home')).status).toEqual({ observedGeneration: 1, pages: 1 });
    expect((await maps().get('home')).data).toEqual({ 'index.html': 'Hello' });
    const { spec } = await plane.client.of(Service).inNamespace(namespace.name).get('home');
    expect(spec.ports?.map(({ port }) => port)).toEqual([80]);
  });

  it('follows what a website says, pages that are taken away included', async () => {
    await create('home', 'home.example.com');
    await expect.poll(async () => (await maps().find('home'))?.data).toBeDefined();
    await websites().patch('home', { merge: { spec: { pages: { 'index.html': null, 'news.html': 'New' } } } });
    await expect.poll(async () => (await maps().get('home')).data).toEqual({ 'news.html': 'New' });
    await expect.poll(async () => (await websites().get('home')).status?.observedGeneration).toBe(2);
  });

  it('puts back what somebody changes or deletes', async () => {
    await create('home', 'home.example.com');
    const page = async () => (await maps().find('home'))?.data?.['index.html'];
    await expect.poll(page).toBe('Hello');
    await maps().patch('home', { merge: { data: { 'index.html': 'defaced' } } });
    await expect.poll(page).toBe('Hello');
    await maps().delete('home');
    await expect.poll(page).toBe('Hello');
  });

  it('leaves nothing of a website that is deleted', async () => {
    await create('home', 'home.example.com');
    await expect.poll(() => maps().find('home')).toBeDefined();
    await websites().delete('home');
    await expect.poll(() => maps().find('home')).toBeUndefined();
  });
});

describe('the plane', () => {
  it('refuses a domain that another website has, as the webhook says', async () => {
    await create('first', 'one.example.com');
    const taken = { reason: 'Conflict', message: expect.stringContaining('one.example.com belongs to the website') };
    await expect(create('second', 'one.example.com')).rejects.toMatchObject(taken);
    await create('second', 'two.example.com');
    const moving = websites().patch('second', { merge: { spec: { domain: 'one.example.com' } } });
    await expect(moving).rejects.toMatchObject(taken);
    await websites().patch('first', { merge: { metadata: { labels: { still: 'mine' } } } });
  });

  it('refuses a domain that is none, as the schema says', async () => {
    await expect(create('home', 'Not a domain')).rejects.toMatchObject({ reason: 'Invalid' });
  });
});
