import { RE2JS } from 're2js';
import { CommandError } from '../frame/failure.ts';

/** Longer paths and names are refused unseen. */
const MOST_CHARACTERS = 16 * 1024;

export interface FilterPatterns {
  readonly acceptHosts: readonly string[];
  readonly acceptPaths: readonly string[];
  readonly rejectPaths: readonly string[];
  readonly rejectMethods: readonly string[];
}

/**
 * Which requests are passed on. Browsers send requests of any page to this machine: those whose `Host` is another one are
 * not meant for us. Matching takes linear time, whatever the pattern and the text are.
 */
export class RequestFilter {
  readonly #acceptHosts: readonly RE2JS[];
  readonly #acceptPaths: readonly RE2JS[];
  readonly #rejectPaths: readonly RE2JS[];
  readonly #rejectMethods: readonly RE2JS[];

  constructor(patterns: FilterPatterns) {
    this.#acceptHosts = patterns.acceptHosts.map((pattern) => compiled(pattern, 'accept-hosts'));
    this.#acceptPaths = patterns.acceptPaths.map((pattern) => compiled(pattern, 'accept-paths'));
    this.#rejectPaths = patterns.rejectPaths.map((pattern) => compiled(pattern, 'reject-paths'));
    this.#rejectMethods = patterns.rejectMethods.map((pattern) => compiled(pattern, 'reject-methods'));
  }

  accepts(method: string, host: string, path: string): boolean {
    if (path.length > MOST_CHARACTERS || host.length > MOST_CHARACTERS) return false;
    if (matches(this.#rejectPaths, path) || matches(this.#rejectMethods, method)) return false;
    return matches(this.#acceptPaths, path) && matches(this.#acceptHosts, withoutPort(host));
  }
}

const withoutPort = (host: string): string => host.replace(/:\d{1,5}$/, '');

const matches = (patterns: readonly RE2JS[], text: string): boolean =>
  patterns.some((pattern) => pattern.matcher(text).find());

function compiled(pattern: string, flag: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new CommandError(`--${flag}: ${error instanceof Error ? error.message : error}`);
  }
}
