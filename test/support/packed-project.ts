import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(checkout, 'node_modules', 'typescript', 'bin', 'tsc');

/** What a fresh clone does not have, or building does not need. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'test', 'docs', 'bench']);

/** The compiler's words; '' when it has nothing to say. */
export type Complaints = string;

/**
 * A project that has installed the package of this checkout, as it would be published or built from git: packed from a
 * copy without anything built, so that `prepare` has to do it. Dependencies are those of the checkout, the declared ones
 * and no others.
 */
export class PackedProject {
  readonly directory: string;
  /** What would be published. */
  readonly tarball: string;

  private constructor(directory: string, tarball: string) {
    this.directory = directory;
    this.tarball = tarball;
  }

  static async make(directory: string): Promise<PackedProject> {
    const clone = join(directory, 'clone');
    await mkdir(clone);
    for (const name of (await readdir(checkout)).filter((one) => !LEFT_OUT.has(one) && !one.startsWith('.'))) {
      await cp(join(checkout, name), join(clone, name), { recursive: true });
    }
    await symlink(join(checkout, 'node_modules'), join(clone, 'node_modules'));
    await run('npm', ['pack', '--offline', '--silent', '--pack-destination', directory], { cwd: clone });

    const [name = ''] = (await readdir(directory)).filter((one) => one.endsWith('.tgz'));
    const project = new PackedProject(join(directory, 'project'), join(directory, name));
    const installed = project.path('node_modules', 'platform-apiserver');
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', project.tarball, '--strip-components=1', '-C', installed]);
    await writeFile(project.path('package.json'), '{ "type": "module" }');
    const { dependencies, bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) await project.link(name);
    await project.#linkCommands(installed, bin);
    return project;
  }

  /** As npm does when it installs a package with commands. */
  async #linkCommands(installed: string, commands: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(this.path('node_modules', '.bin'));
    for (const [name, file] of Object.entries(commands)) {
      await chmod(join(installed, file), 0o755);
      await symlink(join(installed, file), this.path('node_modules', '.bin', name));
    }
  }

  path(...names: string[]): string {
    return join(this.directory, ...names);
  }

  /** Every file of the installed package. */
  files(): Promise<string[]> {
    return readdir(this.path('node_modules', 'platform-apiserver'), { recursive: true });
  }

  /** Installs one more dependency, unless it is there. */
  async link(name: string): Promise<void> {
    const target = this.path('node_modules', name);
    if (existsSync(target)) return;
    await mkdir(dirname(target), { recursive: true });
    await symlink(join(checkout, 'node_modules', name), target);
  }

  /** Type-checks source files, by their names, with these compiler options. */
  async check(sources: Readonly<Record<string, string>>, options: object): Promise<Complaints> {
    for (const [name, source] of Object.entries(sources)) await writeFile(this.path(name), source);
    const configuration = this.path('tsconfig.json');
    const compilerOptions = { noEmit: true, strict: true, target: 'es2022', ...options };
    await writeFile(configuration, JSON.stringify({ compilerOptions, files: Object.keys(sources) }));
    return run(process.execPath, [tsc, '-p', configuration]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  /** What a tool that resolves types as each kind of program would has to say of the package; '' when nothing. */
  typesAreWrong(): Promise<Complaints> {
    const tool = join(checkout, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
    const args = [tool, this.tarball, '--profile', 'esm-only', '--no-definitely-typed', '--no-color', '--no-emoji'];
    return run(process.execPath, args).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  /** Runs a source file of TypeScript, brought down to what the oldest Node understands; returns what it prints. */
  async run(name: string, source: string): Promise<string> {
    const { code } = await transform(source, { loader: 'ts', format: 'esm', target: 'node20' });
    await writeFile(this.path(name), code);
    return (await run(process.execPath, [name], { cwd: this.directory })).stdout;
  }

  /** Runs an installed command. */
  async command(...args: string[]): Promise<string> {
    return (await run('npx', ['--offline', '--no-install', ...args], { cwd: this.directory })).stdout;
  }
}
