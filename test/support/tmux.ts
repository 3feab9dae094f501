import { execFileSync } from 'node:child_process';
import { insist } from './patience.ts';

/** A terminal that a program can be run in as people do it. */
export class Tmux {
  readonly #socket = `platform-${process.pid}-${Math.trunc(performance.now() * 1000)}`;

  /** `environment`: of the shell, besides what this process has. */
  constructor(
    shell: string,
    { columns, rows }: { readonly columns: number; readonly rows: number },
    environment: Readonly<Record<string, string>>,
  ) {
    const set = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    this.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      String(columns),
      '-y',
      String(rows),
      'env',
      ...set,
      ...shell.split(' '),
    );
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
  }

  /** Text as it is typed. */
  type(text: string): void {
    this.#tmux('send-keys', '-l', '--', text);
  }

  /** A key by its name, such as `Enter` or `C-c`. */
  press(key: string): void {
    this.#tmux('send-keys', key);
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** What is on the screen; with colours as the terminal was told them. */
  screen(withColors = false): string {
    return this.#tmux('capture-pane', '-p', ...(withColors ? ['-e'] : []));
  }

  get isCursorShown(): boolean {
    return this.#tmux('display-message', '-p', '#{cursor_flag}').trim() === '1';
  }

  /** The screen, when it matches. */
  async shows(expected: RegExp): Promise<string> {
    return insist(() => {
      const screen = this.screen();
      if (!expected.test(screen)) throw new Error(`${expected} is not on the screen:\n${screen}`);
      return screen;
    });
  }

  close(): void {
    try {
      this.#tmux('kill-server');
    } catch {
      // It has ended with its shell.
    }
  }
}
