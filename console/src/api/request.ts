import { session, sessionEnded } from '../state/session.ts';
import { isObject, type Json, type JsonObject, listAt, numberAt, textAt } from './json.ts';

/** An answer that says no. */
export class Refusal extends Error {
  readonly status: number;
  readonly reason: string;
  /** Under which the story of a denial is found; '' where there is none. */
  readonly denialId: string;
  readonly body: JsonObject;

  constructor(status: number, body: JsonObject, denialId: string) {
    super(textAt(body, 'message') || `the server answered ${status}`);
    this.status = status;
    this.reason = textAt(body, 'reason');
    this.denialId = denialId;
    this.body = body;
  }

  /** What is wrong, field by field. */
  get causes(): readonly { readonly field: string; readonly message: string }[] {
    return listAt(this.body, 'details', 'causes').map((cause) => ({
      field: textAt(cause, 'field'),
      message: textAt(cause, 'message'),
    }));
  }

  get retryAfterSeconds(): number | undefined {
    return numberAt(this.body, 'details', 'retryAfterSeconds');
  }
}

export interface Sending {
  readonly method?: string;
  /** Sent as JSON, unless it is a text. */
  readonly body?: Json | string;
  readonly type?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request as the user who is logged in. With a token no certificate is shown: the token says who it is. Throws a
 * `Refusal` for every answer that is none of success.
 */
export async function send(path: string, sending: Sending = {}): Promise<Response> {
  const { method = 'GET', body, type = 'application/json', accept = 'application/json', signal } = sending;
  const headers = new Headers({ accept });
  const token = session.value?.token;
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('content-type', type);
  const answer = await fetch(path, {
    method,
    headers,
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    credentials: token === undefined ? 'same-origin' : 'omit',
    cache: 'no-store',
    redirect: 'error',
    ...(signal ? { signal } : {}),
  });
  if (answer.ok) return answer;
  throw await refusalOf(answer);
}

async function refusalOf(answer: Response): Promise<Refusal> {
  const text = await answer.text();
  if (answer.status === 401) sessionEnded();
  return new Refusal(answer.status, statusIn(text), answer.headers.get('denial-id') ?? '');
}

function statusIn(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : { message: text };
  } catch {
    return { message: text.trim().slice(0, 500) };
  }
}

export async function sendForJson(path: string, sending: Sending = {}): Promise<JsonObject> {
  const value: Json = await (await send(path, sending)).json();
  return isObject(value) ? value : {};
}

export async function sendForText(path: string, sending: Sending = {}): Promise<string> {
  return (await send(path, sending)).text();
}

/** What went wrong, for people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
