import { PassThrough, Readable, Writable } from 'node:stream';
import { runAnyLine } from '../../src/cli/platformctl/any-line.ts';
import type { Run } from './kubectl.ts';

/** What is around a run, where it is not the usual. */
export interface PlatformctlSettings {
  /** What comes in on standard input. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard output is a terminal of so many columns. */
  readonly terminalColumns?: number;
  /** Standard error is a terminal. */
  readonly stderrIsTerminal?: boolean;
  /** Ends it when the output matches, as Ctrl-C would. */
  readonly until?: Pick<RegExp, 'test'>;
  /** Whoever holds it can press Ctrl-C. */
  readonly interruption?: AbortController;
}

/** platformctl in this process, with nothing but a configuration that a server wrote. */
export class Platformctl {
  readonly #directory: string;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(directory: string, configFile: string) {
    this.#directory = directory;
    this.#environment = { PLATFORMCONFIG: configFile };
  }

  async run(args: readonly string[], settings: PlatformctlSettings = {}): Promise<Run> {
    const { terminalColumns: columns, interruption = new AbortController() } = settings;
    const out = collector((text) => {
      if (settings.until?.test(text)) interruption.abort();
    });
    const err = collector();
    const code = await runAnyLine(args, {
      stdin: settings.stdin === undefined ? new PassThrough().end() : Readable.from([settings.stdin]),
      stdout: columns === undefined ? out.stream : Object.assign(out.stream, { isTTY: true, columns }),
      stderr: settings.stderrIsTerminal ? Object.assign(err.stream, { isTTY: true }) : err.stream,
      env: { ...this.#environment, ...settings.env },
      cwd: this.#directory,
      home: this.#directory,
      interrupted: interruption.signal,
    });
    return { code, stdout: out.text(), stderr: err.text() };
  }

  /** Runs a line that must succeed, and gives what it prints. */
  async succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0 || stderr !== '') throw new Error(`platformctl ${args.join(' ')}: exit code ${code}: ${stderr}`);
    return stdout;
  }
}

function collector(onText: (whole: string) => void = () => {}): { readonly stream: Writable; text(): string } {
  const parts: Buffer[] = [];
  const text = (): string => Buffer.concat(parts).toString('utf8');
  const stream = new Writable({
    write(part, _encoding, done) {
      parts.push(Buffer.from(part));
      onText(text());
      done();
    },
  });
  return { stream, text };
}
