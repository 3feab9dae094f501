import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { Browser, CONSOLE_FOLDER, logIn, type WatchedPage } from './browser.ts';
import { PlaneWithPod } from './plane-with-pod.ts';

/** If any of these runs anywhere, `pwned` is set or a dialog opens. */
export const EVIL = [
  '<img src=x onerror="globalThis.pwned=1">',
  '<script>globalThis.pwned=1</script>',
  '"><svg onload=globalThis.pwned=1>',
  'javascript:globalThis.pwned=1',
  "'-(globalThis.pwned=1)-'",
  '{{constructor.constructor("globalThis.pwned=1")()}}',
].join(' ');

/** The same of what may stand in a path. */
export const EVIL_NAME = '"><img src=x onerror=globalThis.pwned=1>';

/** Links of the console lead to its own views. */
const FOREIGN_LINKS = 'main a[href]:not([href^="#/"])';
const MADE_OF_TEXT = 'main img, main script, main iframe, main svg[onload]';

/** A console that an administrator looks at, and what others put there to be looked at. */
export class AttackedConsole {
  readonly world: PlaneWithPod;
  readonly browser: Browser;
  readonly page: Page;
  readonly url: string;
  readonly #watched: WatchedPage;

  private constructor(world: PlaneWithPod, browser: Browser, watched: WatchedPage) {
    this.world = world;
    this.browser = browser;
    this.page = watched.page;
    this.url = world.plane.server.url;
    this.#watched = watched;
  }

  static async open(): Promise<AttackedConsole> {
    const [world, browser] = await Promise.all([
      PlaneWithPod.start('platform', { consoleFolder: CONSOLE_FOLDER }),
      Browser.open(),
    ]);
    const watched = await browser.newPage();
    watched.page.on('dialog', (dialog) => {
      watched.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await logIn(watched.page, world.plane.server.url, world.plane.server.adminToken);
    return new AttackedConsole(world, browser, watched);
  }

  async expectNothingRan(): Promise<void> {
    await this.page.waitForTimeout(100);
    expect(await this.page.evaluate('globalThis.pwned')).toBeUndefined();
  }

  /** Whether nothing ran, was loaded or was tried to be that should not. */
  async expectHarmless(): Promise<void> {
    await this.expectNothingRan();
    expect(await this.page.locator(`${MADE_OF_TEXT}, ${FOREIGN_LINKS}`).count()).toBe(0);
    expect(this.#watched.complaints).toEqual([]);
  }

  /** Whom the page asked anything. */
  get asked(): readonly string[] {
    return [...this.#watched.asked];
  }

  /** What was refused on purpose is a complaint of the browser, and none of ours. */
  forgetComplaints(): void {
    this.#watched.complaints.length = 0;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.world.close();
  }
}
