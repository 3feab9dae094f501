import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** What a run of kubectl came to. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl in a directory, with nothing but a configuration that a server wrote. */
export class Kubectl {
  readonly #directory: string;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(directory: string, configFile: string, environment: Readonly<Record<string, string>> = {}) {
    this.#directory = directory;
    this.#environment = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: configFile, ...environment };
  }

  /** `until` ends it when its output matches. */
  run(args: readonly string[], until?: RegExp): Promise<Run> {
    const child = spawn('kubectl', args, {
      cwd: this.#directory,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (until?.test(stdout)) child.kill();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const timer = setTimeout(() => child.kill(), PATIENCE_MS);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        clearTimeout(timer);
        resolve({ code, stdout, stderr });
      });
    });
  }

  /** Runs kubectl, which must succeed, and gives what it prints. */
  async succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    return stdout;
  }
}
