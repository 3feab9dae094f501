import { spawn } from 'node:child_process';
import { describe, expect } from 'vitest';
import { PATIENCE_MS } from './patience.ts';
import { type KubectlProgram, kubectlPrograms } from './peers.ts';

/** What a run of kubectl came to. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a kubectl in a directory, with nothing but a configuration that a server wrote. */
export class Kubectl {
  readonly #program: string;
  readonly #directory: string;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(
    program: KubectlProgram,
    directory: string,
    configFile: string,
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.#program = program.path;
    this.#directory = directory;
    this.#environment = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: configFile, ...environment };
  }

  /** `until` ends it when its output matches; `stdin` is what comes in. */
  run(args: readonly string[], until?: RegExp, stdin?: string): Promise<Run> {
    const child = spawn(this.#program, args, {
      cwd: this.#directory,
      env: this.#environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // It may be gone, or never read.
    child.stdin.on('error', () => {}).end(stdin ?? '');
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

/**
 * A suite for each kubectl of this machine, so that what it says holds with all of them. It is about what the server
 * does; what kubectl itself prints differs from release to release, so where it matters the suite looks at the version.
 */
export function describeKubectl(name: string, suite: (program: KubectlProgram) => void): void {
  const programs = kubectlPrograms();
  if (programs.length === 0) describe.skip(name, () => suite({ path: 'kubectl', version: 'none', minor: 0 }));
  for (const program of programs) describe(`${name} (${program.version})`, () => suite(program));
}
