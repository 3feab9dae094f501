import type { FlagValues } from '../../../settings/flag.ts';
import type { FlagTable } from './flags.ts';
import type { Session } from './session.ts';

/** One run of a command. */
export interface Invocation<T extends FlagTable> {
  readonly flags: FlagValues<T>;
  /** Whether a flag was given, even with its default. */
  isGiven(option: keyof T): boolean;
  readonly args: readonly string[];
  /** What comes after `--`; undefined where there is none. */
  readonly afterDash: readonly string[] | undefined;
  readonly session: Session;
}

/** Something platformctl does. */
export interface Command<T extends FlagTable = FlagTable> {
  /** The line after the program's name, such as `get TYPE [NAME...]`. */
  readonly usage: string;
  /** What it does, in a paragraph. */
  readonly about: string;
  /** Lines that people copy, each below what it does. */
  readonly examples?: readonly (readonly [does: string, line: string])[];
  readonly flags: T;
  /** Throws what went wrong; see `failure.ts`, also for other exit codes. */
  run(invocation: Invocation<T>): Promise<void>;
}

/** A command, with the types of its flags found out from the table. */
export const command = <const T extends FlagTable>(parts: Command<T>): Command => parts as unknown as Command;

/** A row of the table of commands: what help shows, and where the rest is. */
export interface CommandRow {
  readonly summary: string;
  /** Not for people: help does not list it. */
  readonly isHidden?: boolean;
  /** Loaded when it is asked for: programs of this kind have to start at once. */
  load(): Promise<Command>;
}

/** By the words that choose them, such as `rollout status`. */
export type CommandTable = Readonly<Record<string, CommandRow>>;
