import type { Reply } from '../http/message.ts';
import type { RequestContext } from '../request/context.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { PathHandler } from './path-handler.ts';
import { replyWithText } from './respond.ts';

/** `livez`: should this process go on? `readyz`: should it be sent requests? `healthz`: what came before these two. */
export const HEALTH_ENDPOINTS = ['healthz', 'livez', 'readyz'] as const;
export type HealthEndpoint = (typeof HEALTH_ENDPOINTS)[number];

/** One thing that must be so for the server to be well. */
export interface HealthCheck {
  /** Also the path of the check below its endpoints. */
  readonly name: string;
  readonly endpoints: readonly HealthEndpoint[];
  /** Part of starting up: livez overlooks its failure during the grace period. */
  readonly startUp?: boolean;
  /** Throws or rejects when it is not so. What is wrong is told to those alone who may ask for this one check. */
  check(): void | Promise<void>;
}

export interface HealthOptions {
  readonly runtime: Runtime;
  /** From the making of the checks on; 0 unless told. */
  readonly livezGraceMs?: number;
  /** Hears why a check failed, which the answer withholds. */
  onFailure?(endpoint: HealthEndpoint, check: string, error: unknown): void;
  /** Told of the outcome of every check that was made. */
  onOutcome?(endpoint: HealthEndpoint, check: string, isWell: boolean): void;
}

interface Outcome {
  readonly name: string;
  readonly state: 'ok' | 'failed' | 'excluded';
}

/** That the process answers at all. */
const PING: HealthCheck = { name: 'ping', endpoints: HEALTH_ENDPOINTS, check() {} };

/** That there is somewhere left to write the log to. */
const LOG: HealthCheck = {
  name: 'log',
  endpoints: HEALTH_ENDPOINTS,
  check() {
    if (process.stderr.destroyed) throw new Error('the log cannot be written');
  },
};

/** The checks of a server: those every server has, then those its parts add, in their order. */
export class HealthChecks {
  readonly #options: HealthOptions;
  readonly #livezFrom: number;
  readonly #checks = new Map<string, HealthCheck>();
  /** Comes last. */
  readonly #shutdown: HealthCheck;
  #leaving = false;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#livezFrom = options.runtime.monotonic() + (options.livezGraceMs ?? 0);
    this.add(PING, LOG);
    this.#shutdown = { name: 'shutdown', endpoints: ['readyz'], check: () => this.#demandStaying() };
  }

  /** A check takes the place of one with the same name. */
  add(...checks: readonly HealthCheck[]): void {
    for (const check of checks) this.#checks.set(check.name, check);
  }

  /** The server is not ready from now on, so that others stop sending requests while it still answers them. */
  beginShutdown(): void {
    this.#leaving = true;
  }

  /** Every endpoint, and every check below it. */
  get paths(): string[] {
    return HEALTH_ENDPOINTS.flatMap((endpoint) => {
      return [`/${endpoint}`, ...this.#of(endpoint).map(({ name }) => `/${endpoint}/${name}`)];
    });
  }

  /** The check of this name, if the endpoint has it. */
  find(endpoint: HealthEndpoint, name: string): HealthCheck | undefined {
    const check = name === this.#shutdown.name ? this.#shutdown : this.#checks.get(name);
    return check?.endpoints.includes(endpoint) ? check : undefined;
  }

  /** All checks of an endpoint side by side: a slow one delays the answer once, not once for each. */
  outcomes(endpoint: HealthEndpoint, excluded: ReadonlySet<string>): Promise<Outcome[]> {
    return Promise.all(
      this.#of(endpoint).map(async (check): Promise<Outcome> => {
        const { name } = check;
        if (excluded.has(name)) return { name, state: 'excluded' };
        return { name, state: (await this.failure(endpoint, check)) ? 'failed' : 'ok' };
      }),
    );
  }

  /** What is wrong; undefined when nothing is. */
  async failure(endpoint: HealthEndpoint, check: HealthCheck): Promise<Error | undefined> {
    if (check.startUp && endpoint === 'livez' && this.#options.runtime.monotonic() < this.#livezFrom) return undefined;
    try {
      await check.check();
      this.#options.onOutcome?.(endpoint, check.name, true);
      return undefined;
    } catch (thrown) {
      this.#options.onFailure?.(endpoint, check.name, thrown);
      this.#options.onOutcome?.(endpoint, check.name, false);
      return thrown instanceof Error ? thrown : new Error(String(thrown));
    }
  }

  #of(endpoint: HealthEndpoint): HealthCheck[] {
    return [...this.#checks.values(), this.#shutdown].filter(({ endpoints }) => endpoints.includes(endpoint));
  }

  #demandStaying(): void {
    if (this.#leaving) throw new Error('process is shutting down');
  }
}

/** Answers `/healthz`, `/livez`, `/readyz` and the single checks below them. Any method will do, as machines differ. */
export function healthHandler(checks: HealthChecks): PathHandler {
  return (context) => {
    const { path } = context.info;
    const endpoint = HEALTH_ENDPOINTS.find((name) => path.startsWith(name, 1));
    if (endpoint === undefined) return undefined;
    const rest = path.slice(1 + endpoint.length);
    if (rest === '') return replyForAll(checks, endpoint, context);
    const check = rest.startsWith('/') ? checks.find(endpoint, rest.slice(1)) : undefined;
    return check && replyForOne(checks, endpoint, check);
  };
}

async function replyForAll(checks: HealthChecks, endpoint: HealthEndpoint, { info }: RequestContext): Promise<Reply> {
  const excluded = new Set(info.query.getAll('exclude'));
  const outcomes = await checks.outcomes(endpoint, excluded);
  for (const { name } of outcomes) excluded.delete(name);
  const lines = outcomes.map(lineOf);
  if (excluded.size > 0) lines.push(warningFor(excluded));
  // The details are told whether asked for or not when something failed.
  if (outcomes.some(({ state }) => state === 'failed')) {
    return replyWithText(500, textOf([...lines, `${endpoint} check failed`]));
  }
  return replyWithText(200, info.query.has('verbose') ? textOf([...lines, `${endpoint} check passed`]) : 'ok');
}

async function replyForOne(checks: HealthChecks, endpoint: HealthEndpoint, check: HealthCheck): Promise<Reply> {
  const failure = await checks.failure(endpoint, check);
  return failure ? replyWithText(500, `internal server error: ${failure.message}\n`) : replyWithText(200, 'ok');
}

const LINES: Readonly<Record<Outcome['state'], (name: string) => string>> = {
  ok: (name) => `[+]${name} ok`,
  failed: (name) => `[-]${name} failed: reason withheld`,
  excluded: (name) => `[+]${name} excluded: ok`,
};

const lineOf = ({ name, state }: Outcome): string => LINES[state](name);

const warningFor = (unknown: ReadonlySet<string>): string => {
  const names = [...unknown].sort().map((name) => JSON.stringify(name));
  return `warn: some health checks cannot be excluded: no matches for ${names.join(',')}`;
};

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
