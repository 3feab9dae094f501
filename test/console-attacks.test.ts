import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AttackedConsole, EVIL } from './support/attacked-console.ts';
import { type Browser, haveBrowser, logIn, visit } from './support/browser.ts';
import { MERGE } from './support/console-plane.ts';
import { insist } from './support/patience.ts';
import type { PlaneWithPod } from './support/plane-with-pod.ts';

/** What somebody who can write objects, or who makes pages of their own, would try on others who look. */

describe.runIf(haveBrowser)('the console under attack', () => {
  let attacked: AttackedConsole;
  let world: PlaneWithPod;
  let browser: Browser;
  let page: Page;
  let url: string;

  beforeAll(async () => {
    attacked = await AttackedConsole.open();
    ({ world, browser, page, url } = attacked);
  });
  afterAll(() => attacked.close());

  it('shows annotations, values and messages of events as the text they are', async () => {
    const metadata = { name: 'evil', annotations: { 'example.com/a': EVIL }, labels: { a: 'b' } };
    await world.make('/api/v1/namespaces/default/configmaps', { metadata, data: { [`k.${'a'.repeat(20)}`]: EVIL } });
    const { body } = await world.plane.admin.request('GET', '/api/v1/namespaces/default/configmaps/evil');
    await world.make('/api/v1/namespaces/default/events', {
      metadata: { name: 'evil.1' },
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'evil', uid: body.metadata.uid },
      reason: EVIL.slice(0, 100),
      message: EVIL,
      type: EVIL.slice(0, 40),
    });
    await visit(page, 'objects/core/configmaps/default/evil');
    await page.locator('.chip', { hasText: 'onerror' }).waitFor();
    await page.locator('td', { hasText: 'onerror' }).first().waitFor();
    await attacked.expectHarmless();
    await visit(page, 'objects/core/configmaps/default/evil?tab=yaml');
    await page.locator('.cm-line', { hasText: 'onerror' }).first().waitFor();
    await attacked.expectHarmless();
    await visit(page, 'objects/core/configmaps/default/evil?tab=history');
    await page.locator('.timeline li button').first().click();
    await attacked.expectHarmless();
    await visit(page, 'kinds/core/events?ns=default');
    await page.locator('.row', { hasText: 'onerror' }).first().waitFor();
    await attacked.expectHarmless();
  });

  it('shows names, columns and descriptions of kinds that users define as the text they are', async () => {
    const schema = {
      type: 'object',
      description: EVIL,
      properties: {
        spec: { type: 'object', description: EVIL, properties: { text: { type: 'string', description: EVIL } } },
      },
    };
    const column = { name: EVIL, type: 'string', jsonPath: '.spec.text', description: EVIL };
    const names = { plural: 'traps', singular: 'trap', kind: 'Trap', listKind: 'TrapList' };
    await world.make('/apis/apiextensions.platform.io/v1/customresourcedefinitions', {
      metadata: { name: 'traps.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names,
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            additionalPrinterColumns: [column],
          },
        ],
      },
    });
    const path = '/apis/example.com/v1/namespaces/default/traps';
    await insist(async () => expect((await world.plane.admin.request('GET', path)).status).toBe(200));
    await world.make(path, {
      apiVersion: 'example.com/v1',
      kind: 'Trap',
      metadata: { name: 'one' },
      spec: { text: EVIL },
    });
    await page.reload();
    await logIn(page, url, world.plane.server.adminToken);
    await visit(page, 'kinds/example.com/traps');
    await page.locator('.row a', { hasText: 'one' }).waitFor();
    await attacked.expectHarmless();
    await visit(page, 'objects/example.com/traps/default/one');
    await page.locator('.leaf code', { hasText: 'onerror' }).waitFor();
    await page.locator('.leaf > span[title*="onerror"]').waitFor({ state: 'attached' });
    await attacked.expectHarmless();
    await visit(page, 'objects/example.com/traps/default/one?tab=yaml');
    await page
      .locator('.cm-line', { hasText: 'text:' })
      .first()
      .hover({ position: { x: 40, y: 5 } });
    await page.locator('.field-help', { hasText: 'onerror' }).waitFor();
    await attacked.expectHarmless();
  });

  it('shows what containers write as the text it is, in logs and in a terminal', async () => {
    world.node.standIn.answer = (_, response) => response.end(`${EVIL}\nlast line\n`);
    await visit(page, 'objects/core/pods/default/web?tab=logs');
    await page.locator('.screen', { hasText: 'last line' }).waitFor();
    await attacked.expectHarmless();
    world.node.run = (_, { stdout }) => void stdout.write(`\u001b]0;${EVIL}\u0007\u001b[31m${EVIL}\r\n`);
    await visit(page, 'objects/core/pods/default/web?tab=terminal');
    await page.click('text=Open a shell');
    await page.locator('.caret').waitFor();
    await page.locator('.screen', { hasText: '<img src=x' }).waitFor();
    await attacked.expectHarmless();
    await page.click('text=Close');
  });

  it('takes nothing from its address for more than a name', async () => {
    for (const view of [
      `kinds/${encodeURIComponent(EVIL)}/pods`,
      'kinds/core/__proto__',
      'objects/core/pods/default/..%2F..%2Fsecrets',
      `access/${encodeURIComponent(EVIL)}`,
      `kinds/core/pods?ns=${encodeURIComponent('../../secrets')}`,
      'kinds/core/pods?q=%E0%A4%A',
      `//evil.example/`,
      'constructor',
    ]) {
      await visit(page, view);
      await page.locator('main').waitFor();
      await attacked.expectNothingRan();
      expect(new URL(page.url()).origin).toBe(url);
    }
    attacked.forgetComplaints();
  });

  describe('by a page of somebody else', () => {
    let evil: Server;
    let evilUrl: string;
    let html = '';
    beforeAll(async () => {
      evil = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
      await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
      evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
    });
    afterAll(() => {
      evil.closeAllConnections();
      evil.close();
    });

    it('is shown in no frame', async () => {
      html = `<iframe src="${url}/console" id="frame"></iframe>`;
      const { page: other, complaints } = await browser.newPage();
      await other.goto(evilUrl);
      await insist(() => expect(complaints.join('\n')).toMatch(/frame-ancestors|X-Frame-Options/i));
      expect(await other.frameLocator('#frame').locator('#token').count()).toBe(0);
      await other.close();
    });

    it('is told nothing of, nor is anything done for it', async () => {
      html = '<p>evil</p>';
      const { page: other } = await browser.newPage();
      await other.goto(evilUrl);
      const tried = await other.evaluate<string[]>(`Promise.all([
        fetch('${url}/console/who').then((r) => r.text(), (e) => 'refused'),
        fetch('${url}/console/names.json').then((r) => r.text(), (e) => 'refused'),
        fetch('${url}/api/v1/namespaces/default/configmaps', { method: 'POST', mode: 'no-cors', credentials: 'include', body: new Blob(['{"metadata":{"name":"csrf"}}']) }).then((r) => r.type, () => 'refused'),
        fetch('${url}/console/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"code":"x"}' }).then((r) => r.text(), () => 'refused'),
      ])`);
      expect(tried).toEqual(['refused', 'refused', expect.stringMatching(/opaque|refused/), 'refused']);
      expect((await world.plane.admin.request('GET', '/api/v1/namespaces/default/configmaps/csrf')).status).toBe(404);
      await other.close();
    });

    it('gets no hold of a window of it', async () => {
      html = `<script>globalThis.opened = window.open('${url}/console')</script>`;
      const { page: other } = await browser.newPage();
      await other.goto(evilUrl);
      await insist(async () => expect(await other.evaluate('!opened || opened.closed')).toBe(true));
      await other.close();
    });
  });

  it('gives a code of somebody else no way into the account of the one who follows the link', async () => {
    const { page: victim } = await browser.newPage();
    await victim.goto(`${url}/console#login=${'A'.repeat(43)}`);
    await victim.locator('.problem', { hasText: 'was used already' }).waitFor();
    expect(await victim.locator('.side').count()).toBe(0);
    await victim.close();
  });

  it('is patched by nobody through what an object is called', async () => {
    const answer = await world.plane.admin.request(
      'PATCH',
      '/api/v1/namespaces/default/configmaps/evil',
      JSON.stringify({ data: { __proto__x: 'a', constructor: 'b', toString: 'c' } }),
      { 'content-type': MERGE },
    );
    expect(answer.status).toBe(200);
    await visit(page, 'objects/core/configmaps/default/evil');
    await page.locator('.leaf', { hasText: 'constructor' }).first().waitFor();
    await visit(page, 'objects/core/configmaps/default/evil?tab=yaml');
    await page.locator('.cm-line', { hasText: 'toString: c' }).waitFor();
    await attacked.expectHarmless();
  });

  it('asked nobody but its own server, whatever it showed', () => {
    expect(attacked.asked).toEqual([attacked.url]);
  });
});
