import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { COMMAND_FOLDER } from './command-folder.ts';
import { havePeerAt } from './peers.ts';
import { makeDirectory, removeDirectory } from './temporary-directory.ts';

const executable = process.env.CHROMIUM || '/usr/bin/chromium';

/** Whether there is a browser to look at the console with. */
export const haveBrowser: boolean = havePeerAt(executable, 'chromium', '--version');

/** Where the files of the console are that tests look at. */
export const CONSOLE_FOLDER: string = fileURLToPath(new URL(`../../${COMMAND_FOLDER}/console`, import.meta.url));

/** Root needs the first; the others keep the browser from asking anything of anyone. */
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page that no rule of what it may load or run was broken on, and that had nothing to complain about. */
export interface WatchedPage {
  readonly page: Page;
  /** What the console of the page said, and errors that nobody caught. */
  readonly complaints: string[];
  /** Whom the page asked anything. */
  readonly asked: ReadonlySet<string>;
}

/** What a trace tells of something that happened; times are microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Of the processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** A browser with a profile of its own. */
export class Browser {
  readonly #context: BrowserContext;
  readonly #profile: string;

  private constructor(context: BrowserContext, profile: string) {
    this.#context = context;
    this.#profile = profile;
  }

  static async open(): Promise<Browser> {
    const profile = await makeDirectory();
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: executable,
      // The authority of a test's server is its own.
      ignoreHTTPSErrors: true,
      args: ARGUMENTS,
      viewport: { width: 1280, height: 800 },
    });
    context.setDefaultTimeout(30_000);
    return new Browser(context, profile);
  }

  async newPage(): Promise<WatchedPage> {
    const page = await this.#context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    page.on('websocket', (socket) => asked.add(new URL(socket.url()).origin.replace(/^ws/, 'http')));
    return { page, complaints, asked };
  }

  /**
   * Does something with the only page there is, and gives the milliseconds of processor time that the longest task of its
   * thread took meanwhile: what other programs of a busy machine take is not in them.
   */
  async longestTask(page: Page, action: () => Promise<void>): Promise<number> {
    const devtools = await this.#context.newCDPSession(page);
    const events: TraceEvent[] = [];
    devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
    await devtools.send('Tracing.start', { transferMode: 'ReportEvents', categories: 'toplevel' });
    await action();
    const complete = new Promise<void>((resolve) => devtools.once('Tracing.tracingComplete', () => resolve()));
    await devtools.send('Tracing.end');
    await complete;
    await devtools.detach();
    const isPage = ({ name, args }: TraceEvent): boolean => name === 'thread_name' && args?.name === 'CrRendererMain';
    const threads = new Set(events.filter(isPage).map(({ pid, tid }) => `${pid}/${tid}`));
    const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid}/${tid}`));
    if (tasks.length === 0) throw new Error('the browser told of no task');
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
  }

  async close(): Promise<void> {
    await this.#context.close();
    await removeDirectory(this.#profile);
  }
}

/** Logs in with a token, as people do. */
export async function logIn(page: Page, url: string, token: string): Promise<void> {
  await page.goto(`${url}/console`);
  await page.fill('#token', token);
  await page.click('button[type=submit]');
  await page.waitForSelector('.side .who');
}

/** Goes to a view without loading the page anew: the token is kept in its memory alone. */
export async function visit(page: Page, hash: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/console#/${hash}`);
}

const IMAGES = new URL('../../docs/images/', import.meta.url);

/** Keeps a picture for the docs, when CONSOLE_IMAGES asks for it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.CONSOLE_IMAGES) return;
  await mkdir(IMAGES, { recursive: true });
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, IMAGES)) });
}
