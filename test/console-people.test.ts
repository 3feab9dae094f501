import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { haveBrowser, logIn, picture, visit } from './support/browser.ts';
import { addShop, type ConsolePlane, SHOP, startConsolePlane } from './support/console-plane.ts';
import { insist } from './support/patience.ts';

/** Who is let in, what each may see, and how it looks to them. */

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe.runIf(haveBrowser)('people at the console', () => {
  let world: ConsolePlane;
  let url: string;

  beforeAll(async () => {
    world = await startConsolePlane();
    await addShop(world);
    ({ url } = world.plane.server);
  });
  afterAll(() => world.close());

  async function somebody(): Promise<{ page: Page; complaints: string[] }> {
    const opened = await world.browser.newPage();
    onTestFinished(() => opened.page.close());
    return opened;
  }

  it('are not let in with a token that nobody knows, and are told', async () => {
    const { page, complaints } = await somebody();
    await page.goto(`${url}/console`);
    await page.fill('#token', 'not-a-token');
    await page.click('button[type=submit]');
    await page.locator('.problem', { hasText: 'does not know this token' }).waitFor();
    await page.fill('#token', 'two words');
    await page.click('button[type=submit]');
    await page.locator('.problem', { hasText: 'one word' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('leave no token behind: not in storage, not in the address, not after loading anew', async () => {
    const { page } = await somebody();
    const { adminToken } = world.plane.server;
    await logIn(page, url, adminToken);
    await visit(page, 'kinds/core/pods?ns=shop');
    await page.locator('.row a').first().waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML])',
    );
    expect(kept).not.toContain(adminToken);
    await page.reload();
    await page.locator('#token').waitFor();
  });

  it('come in once with the link that the server prints, which does not stay in the address', async () => {
    const { page } = await somebody();
    const link = world.plane.server.consoleLogin() ?? '';
    await page.goto(link);
    await page.locator('.side .who', { hasText: 'platform-admin' }).waitFor();
    expect(page.url()).not.toContain('login');
    const again = await somebody();
    await again.page.goto(link);
    await again.page.locator('.problem', { hasText: 'was used already' }).waitFor();
  });

  it('see what their rights let them, and are told of the rest', async () => {
    const account = `/api/v1${SHOP}/serviceaccounts`;
    const group = 'rbac.authorization.platform.io';
    await world.write('POST', account, { metadata: { name: 'weak' } });
    await world.write('POST', `/apis/${group}/v1${SHOP}/rolebindings`, {
      metadata: { name: 'weak' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'weak', namespace: 'shop' }],
    });
    const issued = await world.write('POST', `${account}/weak/token`, { spec: {} });
    const { status } = issued as unknown as { status: { token: string } };
    const { page } = await somebody();
    await logIn(page, url, status.token);
    await page.locator('.side .who', { hasText: 'system:serviceaccount:shop:weak' }).waitFor();
    await visit(page, 'kinds/core/pods?ns=shop');
    await page.locator('.row[data-key="shop/web-5d8c7-a"]').waitFor();
    await visit(page, 'kinds/core/secrets?ns=shop');
    await page.locator('.notice', { hasText: 'secrets is forbidden' }).waitFor();
    expect(await page.locator('.rows-body .row').count()).toBe(0);
    await visit(page, 'objects/apps/deployments/shop/web');
    await page.click('.actions >> text=Restart');
    await page.locator('.toasts .bad', { hasText: 'forbidden' }).waitFor();
    await visit(page, 'access/graph');
    await page.locator('.notice', { hasText: 'not for you to see' }).waitFor();
  });

  it('are sent back to the beginning when their token ends', async () => {
    const { page } = await somebody();
    await logIn(page, url, world.plane.server.adminToken);
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, body: '{"message":"Unauthorized"}' }));
    await visit(page, 'kinds/core/pods?ns=shop');
    await page.locator('.problem', { hasText: 'Log in again' }).waitFor();
  });

  const VIEWS = [
    '',
    'plane/writes',
    'kinds/core/pods?ns=shop',
    'objects/apps/deployments/shop/web',
    'objects/apps/deployments/shop/web?tab=yaml',
    'objects/apps/deployments/shop/web?tab=history',
    'access/graph',
    'access/matrix?ns=shop',
    'plane/certificates',
  ];

  it.each(['light', 'dark'] as const)(
    'who need help to read find nothing serious in their way when it is %s',
    async (colorScheme) => {
      const { page } = await somebody();
      await page.emulateMedia({ colorScheme });
      await logIn(page, url, world.plane.server.adminToken);
      const ground = await groundOf(page);
      expect(ground).toBe(colorScheme === 'light' ? 'rgb(247, 248, 247)' : 'rgb(20, 24, 26)');
      for (const view of VIEWS) {
        await visit(page, view);
        await page.locator('.row a, .tile b, .card, .cm-line, .timeline li, .graph text, .part td').first().waitFor();
        await page.waitForTimeout(200);
        if (view.startsWith('kinds') || /web$/.test(view))
          await picture(page, `console-${view.startsWith('k') ? 'table' : 'object'}-${colorScheme}`);
        expect(await serious(page), view).toEqual([]);
      }
    },
  );

  /** What axe finds that is serious or worse. The debugger runs its text: the policy of the page lets nobody else. */
  async function serious(page: Page): Promise<string[]> {
    await page.evaluate(await readFile(axe, 'utf8'));
    return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`);
  }

  const groundOf = (page: Page): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');

  it('can choose dark or light themselves', async () => {
    const { page } = await somebody();
    await page.emulateMedia({ colorScheme: 'light' });
    await logIn(page, url, world.plane.server.adminToken);
    await page.keyboard.press('t');
    await insist(async () => expect(await groundOf(page)).toBe('rgb(20, 24, 26)'));
  });

  it('read it on a phone, without scrolling sideways', async () => {
    const { page } = await somebody();
    await page.setViewportSize({ width: 390, height: 780 });
    await logInOnPhone(page);
    for (const view of ['', 'objects/apps/deployments/shop/web', 'access/graph']) {
      await visit(page, view);
      await page.locator('.tile b, .card, .graph text').first().waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width, view).toBeLessThanOrEqual(390);
    }
  });

  async function logInOnPhone(page: Page): Promise<void> {
    await page.goto(`${url}/console`);
    await page.fill('#token', world.plane.server.adminToken);
    await page.click('button[type=submit]');
    await page.locator('.tile b').first().waitFor();
  }
});
