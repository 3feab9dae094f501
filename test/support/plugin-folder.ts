import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PluginIdentity, type PluginSurroundings } from '../../src/client/credentials/plugin-identity.ts';
import type { Connection } from '../../src/outbound/config.ts';
import type { PluginSettings } from '../../src/outbound/config-entries.ts';
import { systemRuntime } from '../../src/runtime/runtime.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export const V1 = 'client.authentication.platform.io/v1';
export const V1_BETA = 'client.authentication.platform.io/v1beta1';

/** What a plugin prints, as JSON. */
export const credential = (status: unknown, changes: object = {}): string =>
  JSON.stringify({ apiVersion: V1, kind: 'ExecCredential', status, ...changes });

const SERVER: Connection = { server: 'https://plane.example', insecureSkipTlsVerify: false };

/** Programs of a test, in a directory of their own that is gone when it is over. */
export class PluginFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<PluginFolder> {
    return new PluginFolder(await temporaryDirectory());
  }

  /** Writes a shell script that can be run. */
  async script(name: string, body: string, interpreter = '/bin/sh'): Promise<string> {
    const file = join(this.path, name);
    await writeFile(file, `#!${interpreter}\n${body}\n`);
    await chmod(file, 0o755);
    return file;
  }

  /** A script that notes each of its runs, and prints a file that the test can change. */
  async printing(output: string, before = ''): Promise<string> {
    await this.say(output);
    return this.script('plugin', `echo run >> '${this.path}/runs'\n${before}\ncat '${this.path}/output'`);
  }

  say(output: string): Promise<void> {
    return writeFile(join(this.path, 'output'), output);
  }

  async runs(): Promise<number> {
    const text = await readFile(join(this.path, 'runs'), 'utf8').catch(() => '');
    return text.split('\n').length - 1;
  }

  /** The identity that a plugin gives; nothing is run yet. */
  identity(
    settings: Partial<PluginSettings> & { readonly command: string },
    surroundings: Partial<PluginSurroundings> = {},
    connection: Connection = SERVER,
  ): PluginIdentity {
    const plugin = {
      args: [],
      env: [],
      apiVersion: V1,
      installHint: undefined,
      provideClusterInfo: false,
      interactiveMode: 'Never' as const,
      ...settings,
    };
    return new PluginIdentity(connection, plugin, {
      vocabularies: Object.values(vocabularies),
      runtime: systemRuntime,
      environment: { PATH: process.env.PATH },
      hasTerminal: false,
      stderr: 'ignore',
      ...surroundings,
    });
  }
}
