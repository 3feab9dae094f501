import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AttackedConsole, EVIL, EVIL_NAME } from './support/attacked-console.ts';
import { haveBrowser, visit } from './support/browser.ts';
import { MERGE } from './support/console-plane.ts';
import { insist } from './support/patience.ts';
import type { PlaneWithPod } from './support/plane-with-pod.ts';

const RBAC = 'rbac.authorization.platform.io';
const MAPS = '/api/v1/namespaces/default/configmaps';

/** What somebody may call themselves, or what they do, to have it run where others look. */
describe.runIf(haveBrowser)('the console, shown names that were chosen to run,', () => {
  let attacked: AttackedConsole;
  let world: PlaneWithPod;
  let page: Page;

  beforeAll(async () => {
    attacked = await AttackedConsole.open();
    ({ world, page } = attacked);
  });
  afterAll(() => attacked.close());

  const shows = async (view: string, selector: string, text = 'onerror'): Promise<void> => {
    await visit(page, view);
    await page.locator(selector, { hasText: text }).first().waitFor();
    await attacked.expectHarmless();
  };

  it('shows those of roles, and of users and groups that have them', async () => {
    const rules = [{ apiGroups: [EVIL, ''], resources: ['configmaps', EVIL], verbs: ['get', EVIL] }];
    await world.make(`/apis/${RBAC}/v1/clusterroles`, { metadata: { name: EVIL_NAME }, rules });
    await world.make(`/apis/${RBAC}/v1/clusterrolebindings`, {
      metadata: { name: `of ${EVIL_NAME}` },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: EVIL_NAME },
      subjects: [
        { kind: 'User', apiGroup: RBAC, name: EVIL },
        { kind: 'Group', apiGroup: RBAC, name: EVIL_NAME },
      ],
    });
    await shows(`kinds/${RBAC}/clusterroles`, '.row a');
    await page.locator('.row a', { hasText: 'onerror' }).first().click();
    await page.locator('.object-page h1', { hasText: 'onerror' }).waitFor();
    await attacked.expectHarmless();
    await shows(`objects/${RBAC}/clusterrolebindings/-/${encodeURIComponent(`of ${EVIL_NAME}`)}?tab=yaml`, '.cm-line');
    await shows('access/graph', '.graph text');
    await shows('access/matrix', '.matrix th');
    await shows('access/who?verb=get&resource=configmaps', '[aria-label="Who can"] td');
  });

  it('shows those of managers, of what they wrote and what they fight over', async () => {
    await world.make(`${MAPS}?fieldManager=${encodeURIComponent(EVIL_NAME)}`, {
      metadata: { name: 'managed' },
      data: { colour: 'red' },
    });
    for (let at = 0; at < 6; at++) {
      const manager = at % 2 === 0 ? EVIL_NAME : `other ${EVIL_NAME}`;
      const path = `${MAPS}/managed?fieldManager=${encodeURIComponent(manager)}`;
      const body = JSON.stringify({ data: { colour: String(at) } });
      expect((await world.plane.admin.request('PATCH', path, body, { 'content-type': MERGE })).status).toBe(200);
    }
    await shows('objects/core/configmaps/default/managed?tab=yaml', '.editor .owner');
    await shows('objects/core/configmaps/default/managed?tab=history', '.timeline li');
    await shows('plane/writes', '.part td');
  });

  it('shows those of owners and of dependents that keep something from going', async () => {
    const owner = { apiVersion: 'example.com/v1', kind: EVIL, name: EVIL, uid: EVIL_NAME, blockOwnerDeletion: true };
    await world.make(MAPS, { metadata: { name: 'owned', ownerReferences: [owner] } });
    await shows('objects/core/configmaps/default/owned', 'main');
    await page.locator('main', { hasText: 'onerror' }).waitFor();
    await shows('objects/core/configmaps/default/owned?tab=yaml', '.cm-line');
    await visit(page, 'objects/core/configmaps/default/owned?tab=deletion');
    await page.locator('.object-page h1', { hasText: 'owned' }).waitFor();
    await attacked.expectHarmless();
  });

  it('shows who was refused, and what they had asked for', async () => {
    const path = `/${encodeURIComponent(EVIL_NAME)}`;
    const headers = { 'impersonate-user': EVIL, 'impersonate-group': EVIL_NAME };
    const refused = await world.plane.admin.request('GET', path, undefined, headers);
    expect(refused.status).toBe(403);
    await shows(`access/why?id=${refused.headers['denial-id']}`, '.part');
  });

  it('shows what the server says of a mistake that quotes them', async () => {
    await world.make(MAPS, { metadata: { name: 'mistaken' }, data: { colour: 'red' } });
    await visit(page, 'objects/core/configmaps/default/mistaken?tab=yaml');
    await page.locator('.editor .cm-line', { hasText: 'colour: red' }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText(`'${EVIL_NAME}': x`);
    await page.click('.editor >> text=Review');
    await page.locator('.notice', { hasText: 'onerror' }).waitFor();
    await insist(async () => expect(await page.locator('.notice img').count()).toBe(0));
    attacked.forgetComplaints();
    await attacked.expectHarmless();
  });

  it('asked nobody but its own server, whatever it showed', () => {
    expect(attacked.asked).toEqual([attacked.url]);
  });
});
