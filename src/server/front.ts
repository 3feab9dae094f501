import { readFile } from 'node:fs/promises';
import {
  AUTHENTICATION_INFO_NAME,
  type AuthenticationInfo,
  authenticationInfoIn,
} from '../controllers/authentication-info.ts';
import type { Logger } from '../observe/logging/logger.ts';
import { REMOTE_HEADERS } from '../outbound/identity-headers.ts';
import { Outbound, type OutboundReply } from '../outbound/outbound.ts';
import { ReviewService, readPlace, type ServicePlace } from '../outbound/review-service.ts';
import { type Runtime, sleep, type Timer } from '../runtime/runtime.ts';
import { isObject } from '../schema/json-object.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { FrontNamespaces } from './front-namespaces.ts';

export interface FrontParts {
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
}

/** How long the server in front has to answer at the start, and before it is asked again how it tells who asks. */
const START_MS = 10_000;
const RETRY_MS = 500;
const LOOK_EVERY_MS = 60_000;

/** A service of the server in front that answers reviews. */
export async function frontReviews(
  name: string,
  file: string,
  { group, plural }: { readonly group: string; readonly plural: string },
  runtime: Runtime,
): Promise<ReviewService> {
  const place = await readPlace(file);
  return ReviewService.at(name, { ...place, url: below(place.url, `/apis/${group}/v1/${plural}`) }, runtime);
}

/** A path of the server, which may itself be below one. */
const below = (url: URL, path: string): URL => new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url);

/** How the server in front tells who asks, found out at the start and followed from then on. */
export class FrontAuthentication {
  /** What the server in front has that things here are written into. */
  readonly namespaces: FrontNamespaces;
  #info: AuthenticationInfo;
  readonly #place: ServicePlace;
  readonly #outbound: Outbound;
  readonly #parts: FrontParts;
  #timer: Timer | undefined;

  private constructor(place: ServicePlace, outbound: Outbound, parts: FrontParts, info: AuthenticationInfo) {
    this.#place = place;
    this.#outbound = outbound;
    this.#parts = parts;
    this.#info = info;
    this.namespaces = new FrontNamespaces((path) => read(place, outbound, path), parts.runtime);
  }

  /** Undefined: there is no server in front that could be asked. Rejects with one line when it does not answer. */
  static async open(parts: FrontParts): Promise<FrontAuthentication | undefined> {
    const { authenticationKubeconfig: file, authenticationSkipLookup } = parts.settings;
    if (file === undefined || authenticationSkipLookup) return undefined;
    const place = await readPlace(file);
    const outbound = new Outbound(place.connection, parts.runtime);
    try {
      return new FrontAuthentication(place, outbound, parts, await insistentLook(place, outbound, parts));
    } catch (error) {
      outbound.close();
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${file}: the server in front does not tell how it knows users: ${reason}`, { cause: error });
    }
  }

  get info(): AuthenticationInfo {
    return this.#info;
  }

  /** The settings with what the server in front says; what was given counts. */
  completed(settings: Settings): Settings {
    const { proxies } = this.#info;
    const either = (given: readonly string[], found: readonly string[] | undefined): readonly string[] =>
      given.length > 0 ? given : (found ?? []);
    return {
      ...settings,
      requestheaderAllowedNames: either(settings.requestheaderAllowedNames, proxies?.allowedNames),
      requestheaderUsernameHeaders: either(settings.requestheaderUsernameHeaders, proxies?.usernameHeaders),
      requestheaderGroupHeaders: either(settings.requestheaderGroupHeaders, proxies?.groupHeaders),
      requestheaderExtraHeadersPrefix: either(settings.requestheaderExtraHeadersPrefix, proxies?.extraHeadersPrefix),
      requestheaderUidHeaders: either(settings.requestheaderUidHeaders, proxies && [REMOTE_HEADERS.uid]),
    };
  }

  /** Calls back when something else is said. */
  follow(onChange: (info: AuthenticationInfo) => void): void {
    const look = async (): Promise<void> => {
      try {
        const next = await lookUp(this.#place, this.#outbound, this.#parts.vocabulary);
        if (JSON.stringify(next) !== JSON.stringify(this.#info)) {
          this.#info = next;
          onChange(next);
        }
      } catch (error) {
        this.#parts.logger.warn({ err: error }, 'the server in front does not tell how it knows users');
      }
      if (this.#timer) this.#timer = this.#parts.runtime.after(LOOK_EVERY_MS, () => void look());
    };
    this.#timer = this.#parts.runtime.after(LOOK_EVERY_MS, () => void look());
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#outbound.close();
  }
}

async function insistentLook(place: ServicePlace, outbound: Outbound, parts: FrontParts): Promise<AuthenticationInfo> {
  const { runtime, vocabulary } = parts;
  const end = runtime.monotonic() + START_MS;
  for (;;) {
    try {
      return await lookUp(place, outbound, vocabulary);
    } catch (error) {
      if (runtime.monotonic() >= end) throw error;
      await sleep(runtime, RETRY_MS);
    }
  }
}

async function lookUp(
  place: ServicePlace,
  outbound: Outbound,
  { namespaces }: Vocabulary,
): Promise<AuthenticationInfo> {
  const path = `/api/v1/namespaces/${namespaces.system}/configmaps/${AUTHENTICATION_INFO_NAME}`;
  const { status, body } = await read(place, outbound, path);
  if (status !== 200) throw new Error(`the config map ${AUTHENTICATION_INFO_NAME} was answered with ${status}`);
  const configMap: unknown = JSON.parse(body.toString('utf8'));
  return authenticationInfoIn(isObject(configMap) && isObject(configMap.data) ? configMap.data : {});
}

/** Such files of tokens are replaced in place. */
async function read({ connection, url }: ServicePlace, outbound: Outbound, path: string): Promise<OutboundReply> {
  const token = connection.tokenFile === undefined ? connection.token : await readFile(connection.tokenFile, 'utf8');
  const headers = token === undefined ? {} : { authorization: `Bearer ${token.trim()}` };
  return outbound.send(below(url, path), { method: 'GET', headers });
}
