import { execFile, fork, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cpuSecondsOfEndedChildren } from './child.mjs';

const run = promisify(execFile);
const fileBeside = (path) => fileURLToPath(new URL(path, import.meta.url));
const isInstalled = (command) => spawnSync(command, ['--version']).error === undefined;

/**
 * How many requests are under way at a time, and on how many connections. HTTP/2 spreads over a few connections, as a
 * handful of clients would. Lists are megabytes each; writes are many, since those that meet share a disk flush.
 */
export const SPREAD = {
  read: { h1: { connections: 32, streams: 1 }, h2: { connections: 8, streams: 4 } },
  list: { h1: { connections: 8, streams: 1 }, h2: { connections: 4, streams: 2 } },
  write: { h1: { connections: 64, streams: 1 }, h2: { connections: 8, streams: 8 } },
  watch: { h1: { connections: 100, streams: 1 }, h2: { connections: 10, streams: 10 } },
  change: { h1: { connections: 16, streams: 1 }, h2: { connections: 2, streams: 8 } },
};

/** The generator of this folder, as a process of its own. */
export class Generator {
  #child = fork(fileBeside('./generator.mjs'));
  #waiting = new Map();
  #nextId = 0;

  constructor() {
    this.#child.on('message', ({ id, result }) => {
      this.#waiting.get(id)?.resolve(result);
      this.#waiting.delete(id);
    });
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the load generator ended'));
    });
  }

  ask(what, job = {}) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ ...job, do: what, id });
    });
  }

  stop() {
    this.#child.kill();
  }
}

/**
 * Loads a server with one repeated read: with `wrk` and `h2load` where they are installed, which leave more of the
 * machine to the server, else with the generator of this folder.
 */
export function readLoad(generator) {
  const native = { h1: isInstalled('wrk') ? wrk : undefined, h2: isInstalled('h2load') ? h2load() : undefined };
  return (job) => native[job.protocol]?.(job) ?? generator.ask('load', job);
}

async function wrk({ port, connections, seconds, request }) {
  const spent = stopwatch();
  const script = fileBeside('./wrk-summary.lua');
  const size = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '30s'];
  const { stdout } = await run('wrk', [...size, '-s', script, ...headerFlags(request), urlOf(port, request)]);
  const { answers, bytes, failed, microseconds } = JSON.parse(stdout.trim().split('\n').at(-1));
  return { answers, bytes, failed, seconds: microseconds / 1e6, cpuSeconds: spent() };
}

/**
 * By number of requests and not by time: h2load does not end a connection that was accepted only after its time was up.
 * The number comes from the rate of the run before.
 */
function h2load() {
  const rates = new Map();
  return async (job) => {
    const { port, connections, streams, seconds } = job;
    if (!rates.has(port)) rates.set(port, (await runH2load(job, 4 * connections * streams)).rate);
    const count = Math.max(4 * connections * streams, Math.round(rates.get(port) * seconds));
    const result = await runH2load(job, count);
    rates.set(port, result.rate);
    return result;
  };
}

async function runH2load({ port, connections, streams, request }, count) {
  const spent = stopwatch();
  const size = ['-t', '1', '-c', String(connections), '-m', String(streams), '-n', String(count)];
  const { stdout } = await run('h2load', [...size, ...headerFlags(request), urlOf(port, request)]);
  const number = (pattern) => Number(pattern.exec(stdout)?.[1]);
  const answers = number(/status codes: (\d+) 2xx/);
  const rate = number(/finished in .*?, ([\d.]+) req\/s/);
  return {
    answers,
    failed: count - answers,
    bytes: number(/traffic:.*?\((\d+)\) data/),
    rate,
    seconds: count / rate,
    cpuSeconds: spent(),
  };
}

function stopwatch() {
  const before = cpuSecondsOfEndedChildren();
  return () => cpuSecondsOfEndedChildren() - before;
}

const headerFlags = ({ headers }) => Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);

const urlOf = (port, { path }) => `https://127.0.0.1:${port}${path}`;
