import { ApiError } from '../api/errors.ts';
import { SERVER_USER } from '../api/user.ts';
import { NotYet, WorkQueue } from '../client/controlling/work-queue.ts';
import type { ConfigMap } from '../kinds/core/config/config-map.ts';
import type { ApiObject } from '../registry/resource-type.ts';
import { textsIn, unionOfLists, unionOfPem } from './authentication-unions.ts';
import { type Controller, type ControllerParts, servedType } from './controller.ts';

/** The config map, which is in the system namespace. */
export const AUTHENTICATION_INFO_NAME = 'extension-apiserver-authentication';
const NAME = AUTHENTICATION_INFO_NAME;
const OPTIONS = { user: SERVER_USER };

/** How the server finds out who is asking, as far as others who are asked in its stead must know it. */
export interface AuthenticationInfo {
  /** PEM of the authorities of users. */
  readonly clientCa: string;
  /** Undefined: there are no authenticating proxies. */
  readonly proxies: ProxyInfo | undefined;
}

export interface ProxyInfo {
  /** PEM of the authorities of proxies. */
  readonly clientCa: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeadersPrefix: readonly string[];
}

type Data = Readonly<Record<string, string>>;

/** By key of the config map, how what several servers say is put together. */
const UNIONS: Readonly<Record<string, (texts: readonly string[], now: number) => string>> = {
  'client-ca-file': unionOfPem,
  'requestheader-client-ca-file': unionOfPem,
  'requestheader-allowed-names': unionOfLists,
  'requestheader-username-headers': unionOfLists,
  'requestheader-group-headers': unionOfLists,
  'requestheader-extra-headers-prefix': unionOfLists,
};

/**
 * Publishes how users are authenticated, for extension servers and control loops of others, and puts back what is changed
 * or deleted of it. Servers that share a store may each have authorities of their own: there nobody takes away what
 * another has published, until it has expired.
 */
export class AuthenticationInfoPublisher implements Controller {
  readonly #parts: ControllerParts;
  readonly #queue: WorkQueue;
  readonly #subscription: { close(): void };
  #info: AuthenticationInfo;

  constructor(parts: ControllerParts, info: AuthenticationInfo) {
    this.#parts = parts;
    this.#info = info;
    this.#queue = new WorkQueue({
      runtime: parts.runtime,
      meter: parts.queues.of('authentication-info'),
      handle: () => this.#ensure(),
      onError: (key, error) => parts.onError('authentication-info', key, error),
    });
    const look = ({ metadata: { namespace } }: ApiObject): void => {
      if (namespace === parts.vocabulary.namespaces.system) this.#queue.add(NAME);
    };
    this.#subscription = parts.informer.follow(
      { group: '', plural: 'configmaps', name: NAME },
      { onSet: look, onRemove: look },
    );
    this.#queue.add(NAME);
  }

  /** Something else is to be published from now on. */
  publish(info: AuthenticationInfo): void {
    this.#info = info;
    this.#queue.add(NAME);
  }

  close(): Promise<void> {
    this.#subscription.close();
    return this.#queue.close();
  }

  async #ensure(): Promise<void> {
    const { objects, registry, vocabulary } = this.#parts;
    const type = servedType(this.#parts, '', 'configmaps');
    const { system: namespace } = vocabulary.namespaces;
    const asWanted = (current: ApiObject | undefined) =>
      current && { ...current, data: this.#wanted((current as ConfigMap).data ?? {}) };
    try {
      if (objects.has(type, namespace, NAME)) {
        await registry.update({ type, namespace, name: NAME, subresource: '' }, asWanted, OPTIONS);
      } else {
        await registry.create(type, namespace, { metadata: { name: NAME }, data: this.#wanted({}) }, OPTIONS);
      }
    } catch (error) {
      // Another server was faster, or someone deleted it just now: whoever was slower looks again.
      if (error instanceof ApiError && (error.code === 409 || error.code === 404)) throw new NotYet();
      throw error;
    }
  }

  /** Keys of others are left alone. */
  #wanted(present: Data): Data {
    const { objects, runtime } = this.#parts;
    const own = dataOf(this.#info);
    const others = Object.entries(present).filter(([key]) => !(key in UNIONS));
    const published = Object.entries(UNIONS).flatMap(([key, union]) => {
      const theirs = objects.isShared ? present[key] : undefined;
      const texts = [theirs, own[key]].filter((text) => text !== undefined);
      if (texts.length === 0) return [];
      return [[key, union(texts, runtime.now())]];
    });
    return Object.fromEntries([...others, ...published]);
  }
}

function dataOf({ clientCa, proxies }: AuthenticationInfo): Data {
  if (!proxies) return { 'client-ca-file': clientCa };
  return {
    'client-ca-file': clientCa,
    'requestheader-client-ca-file': proxies.clientCa,
    'requestheader-allowed-names': JSON.stringify(proxies.allowedNames),
    'requestheader-username-headers': JSON.stringify(proxies.usernameHeaders),
    'requestheader-group-headers': JSON.stringify(proxies.groupHeaders),
    'requestheader-extra-headers-prefix': JSON.stringify(proxies.extraHeadersPrefix),
  };
}

/** What such a config map says. */
export function authenticationInfoIn(data: Readonly<Record<string, unknown>>): AuthenticationInfo {
  const text = (key: string): string => (typeof data[key] === 'string' ? data[key] : '');
  const proxyCa = text('requestheader-client-ca-file');
  const proxies = {
    clientCa: proxyCa,
    allowedNames: textsIn(text('requestheader-allowed-names')),
    usernameHeaders: textsIn(text('requestheader-username-headers')),
    groupHeaders: textsIn(text('requestheader-group-headers')),
    extraHeadersPrefix: textsIn(text('requestheader-extra-headers-prefix')),
  };
  return { clientCa: text('client-ca-file'), proxies: proxyCa === '' ? undefined : proxies };
}
