import { createHash } from 'node:crypto';
import type { InterceptedRequest } from '../interception.ts';

/** So many objects are counted apart; requests for more of them share one count, so that memory stays bounded. */
const MOST_COUNTED = 100_000;

/** Numbers that belong to one request, all drawn from the seed. */
export interface Draw {
  /** In [0, 1); the same for the same purpose. */
  of(purpose: string): number;
}

/**
 * What chance says about requests. It depends on the seed, the client, what is asked for, and how many such requests came
 * before; neither on time nor on what other clients do meanwhile.
 */
export class Decisions {
  readonly #seed: number;
  readonly #counts = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  next(request: InterceptedRequest): Draw {
    const { client, agent, verb, group, resource, subresource, namespace, name } = request;
    const program = agent.split('/', 1)[0];
    const subject = JSON.stringify([client, program, verb, group, resource, subresource, namespace, name]);
    const counted = this.#counts.has(subject) || this.#counts.size < MOST_COUNTED ? subject : '';
    const before = this.#counts.get(counted) ?? 0;
    this.#counts.set(counted, before + 1);
    return { of: (purpose) => fraction(`${this.#seed} ${purpose} ${before} ${subject}`) };
  }
}

/** A number in [0, 1) that the text decides, evenly spread. */
const fraction = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
