import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, CONSOLE_FOLDER, haveBrowser, logIn, picture, visit, type WatchedPage } from './support/browser.ts';
import { CertificateRequests } from './support/certificate-requests.ts';
import { insist } from './support/patience.ts';
import { PlaneWithPod } from './support/plane-with-pod.ts';
import { ShiftableRuntime } from './support/shiftable-runtime.ts';

/** What can be done from the console, and what it tells of what the server does: in a real browser, over one plane. */

const NS = '/namespaces/default';
const DEPLOYMENT = `/apis/apps/v1${NS}/deployments/web`;

describe.runIf(haveBrowser)('from the console', () => {
  const runtime = new ShiftableRuntime();
  let world: PlaneWithPod;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    const options = {
      consoleFolder: CONSOLE_FOLDER,
      runtime,
      controllers: ['serviceaccount'],
      authorizationMode: ['RBAC'],
    };
    [world, browser] = await Promise.all([PlaneWithPod.start('platform', options), Browser.open()]);
    world.node.answerWithLines();
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1' }] },
    };
    const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
    await world.make(`/apis/apps/v1${NS}/deployments`, { metadata: { name: 'web' }, spec });
    watched = await browser.newPage();
    page = watched.page;
    await logIn(page, world.plane.server.url, world.plane.server.adminToken);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const read = async (path: string) => (await world.plane.admin.request('GET', path)).body;
  const told = (text: string) => page.locator('.toasts', { hasText: text }).waitFor();

  it('a deployment is scaled and restarted', async () => {
    await visit(page, 'objects/apps/deployments/default/web');
    await page.click('.actions >> text=Scale');
    await page.fill('dialog input[type=number]', '5');
    await page.click('dialog >> .primary');
    await told('web is to have 5');
    expect((await read(DEPLOYMENT)).spec).toMatchObject({ replicas: 5 });
    await page.click('.actions >> text=Restart');
    await told('web is being restarted');
    const { template } = Object((await read(DEPLOYMENT)).spec);
    expect(Object.keys(template.metadata.annotations)).toEqual([expect.stringMatching(/restartedAt$/)]);
  });

  it('a node is cordoned and uncordoned', async () => {
    await visit(page, 'objects/core/nodes/-/n1');
    await page.click('.actions >> text="Cordon"');
    await told('n1 takes no new pods');
    expect((await read('/api/v1/nodes/n1')).spec).toMatchObject({ unschedulable: true });
    await page.click('.actions >> text="Uncordon"');
    await told('n1 takes pods again');
    expect((await read('/api/v1/nodes/n1')).spec).not.toHaveProperty('unschedulable');
  });

  it('certificates are approved and denied', async () => {
    const requests = new CertificateRequests(world.plane);
    const wanted = {
      signerName: 'example.com/any',
      usages: ['client auth'],
      request: { subject: { commonName: 'ann', organizations: [] } },
    };
    for (const [name, button, type] of [
      ['good', 'Approve', 'Approved'],
      ['bad', 'Deny', 'Denied'],
    ] as const) {
      expect((await requests.create(name, wanted)).status).toBe(201);
      await visit(page, `objects/certificates.platform.io/certificatesigningrequests/-/${name}`);
      await page.click(`.actions >> text="${button}"`);
      await told(`${name} is ${type.toLowerCase()}`);
      expect((await requests.read(name))?.status.conditions).toMatchObject([{ type }]);
      await page.locator('.actions >> text="Approve"').waitFor({ state: 'detached' });
    }
  });

  it('logs of a container are read', async () => {
    await visit(page, 'objects/core/pods/default/web?tab=logs');
    await page.locator('.logs pre', { hasText: 'two of web main' }).waitFor();
  });

  it('a shell in a container takes what is typed, and shows what comes', async () => {
    await visit(page, 'objects/core/pods/default/web?tab=terminal');
    // As a terminal does: what is typed comes back, and lines end where Enter is pressed.
    world.node.run = (command, { stdin, stdout }) => {
      stdout.write(`running ${command.join(' ')}\r\n`);
      stdin.on('data', (typed: Buffer) =>
        stdout.write(typed.toString().replaceAll('\r', '\r\nthe answer of the inside\r\n')),
      );
    };
    await page.click('text=Open a shell');
    await page.locator('.logs', { hasText: 'open; Shift Tab' }).waitFor();
    await page.locator('.screen', { hasText: 'running sh' }).waitFor();
    await page.keyboard.type('question 42');
    await page.keyboard.press('Enter');
    await insist(async () =>
      expect(await page.locator('.screen').textContent()).toContain('question 42\nthe answer of the inside'),
    );
    await page.click('.logs >> text=Close');
    await page.locator('text=Open a shell').waitFor();
  });

  it('it is found out who can do something, and by what', async () => {
    const group = 'rbac.authorization.platform.io';
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
    await world.make(`/apis/${group}/v1/clusterroles`, { metadata: { name: 'lister' }, rules });
    await world.make(`/apis/${group}/v1${NS}/rolebindings`, {
      metadata: { name: 'readers' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'lister' },
      subjects: [{ kind: 'User', name: 'alice', apiGroup: group }],
    });
    await visit(page, 'access/who?verb=list&resource=pods&ns=default');
    const row = page.locator('[aria-label="Who can"] tr', { hasText: 'alice' });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/readers.*lister/);
    await visit(page, 'access/who?verb=delete&resource=pods&ns=default');
    await page.locator('[aria-label="Who can"] td', { hasText: 'system:masters' }).waitFor();
    await row.waitFor({ state: 'detached' });
  });

  it('it is seen what admission makes of an edit, before it is saved', async () => {
    await visit(page, 'objects/core/pods/default/web?tab=yaml');
    await page.locator('.editor .cm-line', { hasText: 'image: example/main:1' }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.type('.2');
    await page.click('.editor >> text=Review');
    await page.click('dialog.review >> text=What does admission do with it?');
    const story = page.locator('dialog.review .admission');
    await story.locator('text=Admission takes it.').waitFor();
    await story.locator('td', { hasText: 'Mutating' }).first().waitFor();
    await picture(page, 'console-admission-light');
    await page.click('dialog.review >> text=Go on editing');
    await page.click('.editor >> text=Discard');
  });

  it('it is seen who writes, what is written, and what is fought over', async () => {
    await world.make(`/api/v1${NS}/configmaps`, { metadata: { name: 'fought' }, data: { owner: '' } });
    for (let at = 0; at < 6; at++) {
      const manager = at % 2 === 0 ? 'one' : 'other';
      const path = `/api/v1${NS}/configmaps/fought?fieldManager=${manager}`;
      await world.plane.admin.request('PATCH', path, { data: { owner: manager } });
    }
    await visit(page, 'plane/writes');
    const fight = page.locator('section', { hasText: 'What is fought over' }).locator('tr', { hasText: '.data.owner' });
    await fight.waitFor();
    expect(await fight.textContent()).toContain('one, other');
    await picture(page, 'console-writes-light');
    await fight.locator('a').click();
    await page.locator('.object-page h1', { hasText: 'fought' }).waitFor();
  });

  it('it is seen what the server did, as plots with lines', async () => {
    for (let step = 0; step < 12; step++) {
      for (let at = 0; at <= step; at++) await read(`/api/v1${NS}/pods/web`);
      runtime.advance(10_000);
    }
    await visit(page, 'plane');
    await page.locator('.plot canvas').first().waitFor();
    const drawn = async (): Promise<number> =>
      page.evaluate<number>(`(() => {
        const canvas = document.querySelector('.plot canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const colours = new Set();
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) colours.add(data.slice(at, at + 3).join());
        return colours.size;
      })()`);
    // Axes have one colour or two, and every line its own.
    await insist(async () => expect(await drawn()).toBeGreaterThan(3));
    await picture(page, 'console-plane-light');
    for (const topic of ['storage', 'flow', 'process']) {
      await visit(page, `plane/${topic}`);
      await page.locator('.plot canvas').first().waitFor();
    }
  });

  it('nothing is complained about', () => {
    expect(watched.complaints).toEqual([]);
  });
});
