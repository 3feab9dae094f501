import { createHash, timingSafeEqual } from 'node:crypto';
import { type UserInfo, userNamed } from '../api/user.ts';
import type { Secret } from '../kinds/core/config/secret.ts';
import type { ObjectReader } from '../registry/objects.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { authenticated } from './authenticator.ts';

const SECRETS = { group: '', plural: 'secrets' };
const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const BOOTSTRAPPERS = 'system:bootstrappers';
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]*[a-z0-9]$/;
const LONGEST_EXTRA_GROUP = BOOTSTRAPPERS.length + 1 + 256;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export interface BootstrapTokenOptions {
  readonly objects: ObjectReader;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Finds the user of a short token with which machines join: it is good while a secret of the system namespace says so. */
export function bootstrapTokens({ objects, runtime, vocabulary }: BootstrapTokenOptions) {
  return (token: string): UserInfo | undefined => {
    const [, id, presented] = TOKEN.exec(token) ?? [];
    if (id === undefined || presented === undefined) return undefined;
    const secret = objects.get<Secret>(SECRETS, vocabulary.namespaces.system, `bootstrap-token-${id}`);
    if (secret?.type !== vocabulary.secretTypes.bootstrapToken || secret.metadata.deletionTimestamp) return undefined;
    const text = (key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
    if (!timingSafeEqual(digest(text('token-secret')), digest(presented)) || text('token-id') !== id) return undefined;
    if (hasExpired(text('expiration'), runtime.now()) || text('usage-bootstrap-authentication') !== 'true') {
      return undefined;
    }
    const groups = groupsIn(text('auth-extra-groups'));
    return groups && authenticated(userNamed(`system:bootstrap:${id}`, groups));
  };
}

/** A time that cannot be read has passed. */
const hasExpired = (expiration: string, now: number): boolean =>
  expiration !== '' && !(TIME.test(expiration) && now < Date.parse(expiration));

/** Undefined when a group is named that a token cannot give. */
function groupsIn(extra: string): string[] | undefined {
  const named = extra === '' ? [] : extra.split(',');
  if (!named.every((group) => group.length <= LONGEST_EXTRA_GROUP && EXTRA_GROUP.test(group))) return undefined;
  return [BOOTSTRAPPERS, ...new Set(named)].sort();
}
