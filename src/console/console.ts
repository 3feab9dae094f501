import { ApiError } from '../api/errors.ts';
import { ANONYMOUS_USER, type UserInfo } from '../api/user.ts';
import type { OneTimeLogins } from '../authentication/one-time-logins.ts';
import { acceptsGzip } from '../http/compression.ts';
import type { Handle } from '../http/handler.ts';
import { headerValue } from '../http/headers.ts';
import type { HttpRequest, Reply } from '../http/message.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';
import { namesDocument } from './names-document.ts';

export interface ConsoleParts {
  /** Undefined: they were not built. */
  readonly files: Pick<ConsoleFiles, 'find'> | undefined;
  readonly logins: OneTimeLogins;
  /** Has an attempt to log in recorded, from its beginning to its answer, which it gives. */
  recordLogin(request: HttpRequest, attempt: () => Promise<LoginAttempt>): Promise<Reply>;
  /** Who sends a request. Rejects with an `ApiError` where its credentials are not good, or it has none and needs some. */
  identify(request: HttpRequest): Promise<UserInfo>;
  /** Files are for everyone, and so among the first that there is no memory for. */
  isShortOfMemory(): boolean;
  readonly vocabulary: Vocabulary;
}

/** What became of a request to log in with a code. */
export interface LoginAttempt {
  /** Who was let in; undefined: nobody. */
  readonly user: UserInfo | undefined;
  readonly reply: Reply;
}

const ROOT = '/console';
const LOGIN = '/console/login';
const INDEX = 'index.html';

/** Below it names carry a digest of what the file holds. */
const ASSETS = 'assets/';

/** A code and some braces. */
const LOGIN_BYTES = 1_024;

/**
 * Scripts and styles come from this server alone, and none stands in a page or is made of text. Nobody may put a page of
 * the console into a frame, and no answer of it is for other origins.
 */
const HEADERS: readonly string[] = [
  ...[
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  ],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'DENY'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
  ...['Vary', 'Accept-Encoding'],
];

const FOR_EVER = ['Cache-Control', 'public, max-age=31536000, immutable'];
const NOT_KEPT = ['Cache-Control', 'no-store'];

/**
 * Answers `/console` and what is below it, in front of authentication: its files are for everyone, as a page to log in on
 * is. They are the same whoever asks and under whatever name. What they show comes from the interface itself, with the
 * rights of the one who looks.
 */
export function consoleAround(parts: ConsoleParts): (handle: Handle) => Handle {
  const names = Buffer.from(namesDocument(parts.vocabulary));
  return (handle) => (request) => {
    if (!request.target.startsWith(ROOT)) return handle(request);
    const path = pathBelow(request.target);
    if (path === undefined) return handle(request);
    return answer(parts, names, path, request).catch(refusal);
  };
}

/** What follows `/console/`; undefined for the paths of others, such as `/consoles`. */
function pathBelow(target: string): string | undefined {
  const path = target.split('?', 1)[0] ?? '';
  if (path === ROOT) return '';
  return path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : undefined;
}

async function answer(parts: ConsoleParts, names: Buffer, path: string, request: HttpRequest): Promise<Reply> {
  // With a query it is no such thing: what is in an address would be in the record.
  if (request.target === LOGIN) return logInRecorded(parts, request);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plain(405, 'method not allowed', 'Allow', 'GET, HEAD');
  if (path === 'who') return whole(200, 'application/json', Buffer.from(await whoIs(parts, request)), NOT_KEPT);
  if (path === 'names.json') return whole(200, 'application/json', names, NOT_KEPT);
  if (parts.isShortOfMemory()) return plain(429, 'too many requests, please try again later', 'Retry-After', '1');
  const file = await parts.files?.find(path === '' ? INDEX : path);
  if (!file) return plain(404, parts.files ? 'not found' : 'the files of the console were not built');
  return sent(file, request, path.startsWith(ASSETS) ? FOR_EVER : NOT_KEPT);
}

async function sent(file: ConsoleFile, request: HttpRequest, caching: readonly string[]): Promise<Reply> {
  if (!acceptsGzip(headerValue(request, 'accept-encoding'))) {
    return whole(200, file.type, await file.plain(), caching);
  }
  return whole(200, file.type, file.compressed, [...caching, 'Content-Encoding', 'gzip']);
}

/** Whom the credentials of a request name, `{}` for nobody. It is asked before anybody is let in, so that no answer is an error. */
async function whoIs({ identify }: ConsoleParts, request: HttpRequest): Promise<string> {
  try {
    const { name, groups } = await identify(request);
    return JSON.stringify(name === ANONYMOUS_USER ? {} : { user: name, groups });
  } catch (error) {
    if (error instanceof ApiError && error.code === 401) return '{}';
    throw error;
  }
}

const logInRecorded = (parts: ConsoleParts, request: HttpRequest): Promise<Reply> =>
  parts.recordLogin(request, () => logIn(parts, request).catch((error) => letIn(undefined, refusal(error))));

/** A code for a token, once. Only what pages of other origins cannot send unasked is taken for a request. */
async function logIn({ logins }: ConsoleParts, request: HttpRequest): Promise<LoginAttempt> {
  if (request.method !== 'POST') return letIn(undefined, plain(405, 'method not allowed', 'Allow', 'POST'));
  if (headerValue(request, 'content-type') !== 'application/json') {
    return letIn(undefined, plain(415, 'application/json is expected'));
  }
  const granted = logins.exchange(codeIn(await request.readBody(LOGIN_BYTES)));
  if (!granted) return letIn(undefined, plain(401, 'the code is not good, or not any more'));
  return letIn(logins.user, whole(200, 'application/json', Buffer.from(JSON.stringify(granted)), NOT_KEPT));
}

const letIn = (user: UserInfo | undefined, reply: Reply): LoginAttempt => ({ user, reply });

/** '' where there is none, which is no code. */
function codeIn(body: Buffer): string {
  try {
    const { code } = Object(JSON.parse(body.toString('utf8')));
    return typeof code === 'string' ? code : '';
  } catch (error) {
    if (error instanceof SyntaxError) return '';
    throw error;
  }
}

function refusal(error: unknown): Reply {
  if (error instanceof ApiError) return plain(error.code, error.message);
  throw error;
}

const plain = (status: number, text: string, ...more: readonly string[]): Reply =>
  whole(status, 'text/plain; charset=utf-8', Buffer.from(`${text}\n`), [...NOT_KEPT, ...more]);

const whole = (status: number, type: string, body: Buffer, more: readonly string[]): Reply => ({
  status,
  headers: ['Content-Type', type, ...HEADERS, ...more],
  body,
});
