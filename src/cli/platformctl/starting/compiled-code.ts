import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';
import { systemRuntime } from '../../../runtime/runtime.ts';
import { tidyCode } from './tidy-code.ts';

/** Below the home of a user. Beside what else is remembered, but never of another user. */
export const CODE_FOLDER = join('.platform', 'cache', 'code');

/** What Node itself goes by for the same purpose. */
const DISABLED = 'NODE_DISABLE_COMPILE_CACHE';
const DIGEST_BYTES = 32;
const MOST_BYTES = 16 * 2 ** 20;

type Require = (name: string) => unknown;

export interface CodePlaces {
  /** Where code is kept. */
  readonly kept: string;
  readonly programs: string;
  /** Code has in it what the run needed that kept it: runs that need much else keep theirs under another name. */
  readonly use: string;
}

/** Compiled by this run. */
interface Fresh {
  readonly place: string;
  readonly source: string;
  readonly script: Script;
}

type Wrapped = (exports: object, require: Require, module: object, filename: string, dirname: string) => void;

/**
 * Loads programs of a folder with the code that they were compiled to when they last ran: compiling takes a short command
 * longer than what it does. What is kept holds for one text, one release of Node and one processor, and is replaced as a
 * whole where it holds no more. It is run, so only what nobody else can have written is read. That it cannot be read or
 * written is no failure: then the program is compiled.
 */
export class CompiledCode {
  readonly #places: CodePlaces;
  readonly #require: Require;
  /** What has to be kept at the end, so that what is compiled while it runs is kept as well. */
  readonly #fresh: Fresh[] = [];

  /** `require` finds everything but the programs. */
  constructor(places: CodePlaces, require: Require) {
    this.#places = places;
    this.#require = require;
  }

  /** Runs a program, which loads others of its folder in the same way; what it exports. */
  load(name: string): object {
    const { programs } = this.#places;
    const file = join(programs, name);
    const source = readFileSync(file, 'utf8');
    const script = process.env[DISABLED]
      ? new Script(wrapped(source), { filename: file })
      : this.#compiled(file, source);
    const module = { exports: {} };
    const require: Require = (wanted) => (wanted.startsWith('./') ? this.load(wanted) : this.#require(wanted));
    const run: Wrapped = script.runInThisContext();
    run(module.exports, require, module, file, programs);
    return module.exports;
  }

  #compiled(file: string, source: string): Script {
    const { kept, use } = this.#places;
    const place = join(kept, `${basename(file)}-${use}-${process.version}-${process.arch}`);
    const cachedData = ownFile(place, source);
    const script = new Script(wrapped(source), { filename: file, ...(cachedData && { cachedData }) });
    const isAccepted = cachedData !== undefined && script.cachedDataRejected === false;
    if (!isAccepted && this.#fresh.push({ place, source, script }) === 1) process.once('exit', () => this.#keepFresh());
    return script;
  }

  /** A folder that cannot be written to, or holds too much, costs time and nothing else. */
  #keepFresh(): void {
    const { kept } = this.#places;
    attempt(() => {
      mkdirSync(kept, { recursive: true, mode: 0o700 });
      if (!isOwn(statSync(kept))) return;
      for (const fresh of this.#fresh) keep(fresh);
      tidyCode(kept, systemRuntime.now());
    });
  }
}

function keep({ place, source, script }: Fresh): void {
  const draft = `${place}.${process.pid}`;
  const isWritten = attempt(() => {
    const code = script.createCachedData();
    writeFileSync(draft, Buffer.concat([digestOf(source, code), code]), { mode: 0o600, flag: 'wx' });
    renameSync(draft, place);
  });
  if (!isWritten) attempt(() => rmSync(draft, { force: true }));
}

function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

const wrapped = (source: string): string =>
  `(function (exports, require, module, __filename, __dirname) { ${source}\n})`;

const digestOf = (source: string, code: Buffer): Buffer =>
  createHash('sha256').update(process.version).update(source).update(code).digest();

/** Whether nobody but this user can write to it. Where systems cannot say, it is nobody's. */
const isOwn = ({ uid, mode }: Stats): boolean => uid === process.geteuid?.() && (mode & 0o022) === 0;

/** The code that was kept of a text. Undefined where there is none, it is of another text, damaged, or not surely our own. */
function ownFile(place: string, source: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(place, 'r');
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(file);
    if (!isOwn(found) || found.size > MOST_BYTES) return undefined;
    const kept = readFileSync(file);
    const code = kept.subarray(DIGEST_BYTES);
    return digestOf(source, code).equals(kept.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
