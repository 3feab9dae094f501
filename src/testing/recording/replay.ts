import type { PlaneAnswer, PlaneRequest } from '../../client/index.ts';
import { differences } from './answer-differences.ts';
import { KnownNames } from './known-names.ts';
import type { RecordedBody, RecordedExchange } from './recorded.ts';

/** Sends a request as somebody, with a user agent. */
export type SendAs = (who: Sender) => Promise<(request: PlaneRequest) => Promise<PlaneAnswer>>;

export interface Sender {
  readonly client: string;
  readonly groups: readonly string[];
  readonly agent: string;
}

/** A request whose answer is not what it was. */
export interface Difference {
  /** Which of the requests, from 1. */
  readonly number: number;
  readonly request: string;
  readonly differs: readonly string[];
}

export interface ReplayOutcome {
  readonly played: number;
  /** Watches, requests of the plane itself, and those that were never carried out or not kept. */
  readonly skipped: number;
  readonly differences: readonly Difference[];
}

/**
 * Sends what was recorded, one after the other. Versions, uids and generated names that a plane gives are learnt from its
 * answers, and put into later requests in place of the recorded ones.
 */
export async function replay(exchanges: readonly RecordedExchange[], sendAs: SendAs): Promise<ReplayOutcome> {
  const names = new KnownNames();
  const found: Difference[] = [];
  let played = 0;
  for (const [at, exchange] of exchanges.entries()) {
    const body = bodyOf(exchange.body);
    if (!canPlay(exchange) || body === undefined) continue;
    played++;
    const send = await sendAs(exchange);
    const answer = await send({
      method: exchange.method as PlaneRequest['method'],
      target: names.translate(exchange.target),
      ...(body !== '' && { body: names.translate(body), contentType: exchange.contentType || 'application/json' }),
      accept: 'application/json',
      retries: 0,
    });
    const differs = compare(exchange, answer, names);
    const request = `${exchange.client} ${exchange.verb} ${exchange.kind} ${exchange.object}`.trimEnd();
    if (differs.length > 0) found.push({ number: at + 1, request, differs });
  }
  return { played, skipped: exchanges.length - played, differences: found };
}

/** Loops of a plane do their work by themselves, and what chaos kept from being done was not done. */
const canPlay = ({ verb, background, disturbed }: RecordedExchange): boolean =>
  verb !== 'watch' && !background && disturbed?.isDone !== false;

/** '' where there was none; undefined where it is not known. */
function bodyOf(body: RecordedBody | undefined): string | undefined {
  if (body === undefined) return '';
  return 'json' in body ? JSON.stringify(body.json) : undefined;
}

function compare(exchange: RecordedExchange, { status, body }: PlaneAnswer, names: KnownNames): readonly string[] {
  // Of what was broken off or made older nobody knows the true answer.
  if (exchange.disturbed) return [];
  const differs = status === exchange.status ? [] : [`status ${exchange.status} → ${status}`];
  if (!exchange.answer || !('json' in exchange.answer)) return differs;
  const now = jsonIn(body);
  names.learn(exchange.answer.json, now);
  return [...differs, ...differences(exchange.answer.json, now)];
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // Not JSON: it differs from what was recorded, as a text.
    return body.toString();
  }
}
