import { badRequest } from '../api/errors.ts';
import {
  ANONYMOUS_USER,
  AUTHENTICATED_GROUP,
  parseServiceAccountUser,
  serviceAccountGroups,
  UNAUTHENTICATED_GROUP,
  type UserInfo,
} from '../api/user.ts';
import type { Attributes, Authorizer } from '../authorization/attributes.ts';
import { denied } from '../authorization/denial.ts';
import type { HttpRequest } from '../http/message.ts';
import { extraValues, identityValues } from './identity-headers.ts';

const PREFIX = 'impersonate-';
const EXTRA_PREFIX = 'impersonate-extra-';
const HEADERS = new Set(['impersonate-user', 'impersonate-group', 'impersonate-uid']);
const SMALL_I = 'i'.charCodeAt(0);
const TO_LOWER = 0x20;

const isOurs = (name: string): boolean =>
  name.length > PREFIX.length &&
  (name.charCodeAt(0) | TO_LOWER) === SMALL_I &&
  name.slice(0, PREFIX.length).toLowerCase() === PREFIX;

/** Whether a request wants to be taken for someone else's. Hardly any does: to the others this loop is all it costs. */
export function isImpersonating({ rawHeaders }: HttpRequest): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (isOurs(rawHeaders[at] ?? '')) return true;
  }
  return false;
}

/**
 * The identity that the headers of a request ask for, once it is certain that the caller may take on every part of it.
 * `group`: that of what is neither user, group nor service account. Throws 400 when the headers make no identity, 403
 * when one part is not allowed.
 */
export async function impersonated(
  authorizer: Authorizer,
  group: string,
  request: HttpRequest,
  caller: UserInfo,
): Promise<UserInfo> {
  const wanted = readIdentity(request);
  for (const attributes of demandsOf(wanted, group, caller)) {
    const decision = await authorizer.authorize(attributes);
    if (decision.decision !== 'allow') throw denied(attributes, decision);
  }
  return { ...wanted, groups: groupsOf(wanted) };
}

function readIdentity(request: HttpRequest): UserInfo {
  refuseUnknown(request);
  const name = single(request, 'impersonate-user');
  const uid = single(request, 'impersonate-uid') ?? '';
  // Without this, a caller that fails to say whom to act as would act as itself, with more rights than were meant.
  if (name === undefined) throw badRequest('a group, uid or extra cannot be impersonated without Impersonate-User');
  const groups = identityValues(request, 'impersonate-group');
  if (groups.includes('')) throw badRequest('Impersonate-Group must not be empty');
  return { name, uid, groups, extra: extraValues(request, [EXTRA_PREFIX]) };
}

/** A header that asks for less than the caller's rights must not be passed over. */
function refuseUnknown({ rawHeaders }: HttpRequest): void {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!isOurs(name)) continue;
    const lower = name.toLowerCase();
    const isExtra = lower.startsWith(EXTRA_PREFIX) && lower.length > EXTRA_PREFIX.length;
    if (!isExtra && !HEADERS.has(lower)) throw badRequest(`there is no header ${name}`);
  }
}

function single(request: HttpRequest, header: string): string | undefined {
  const [value, ...more] = identityValues(request, header);
  if (value === '' || more.length > 0) throw badRequest(`${header} must have exactly one value`);
  return value;
}

/** One question for each part of the identity. The values are the names of what is asked for, so that roles can list them. */
function* demandsOf({ name, uid, groups, extra }: UserInfo, group: string, user: UserInfo): Generator<Attributes> {
  const account = parseServiceAccountUser(name);
  const demand = {
    user,
    verb: 'impersonate',
    resourceRequest: true,
    version: 'v1',
    subresource: '',
    namespace: '',
    path: '',
  };
  if (account) yield { ...demand, group: '', resource: 'serviceaccounts', ...account };
  else yield { ...demand, group: '', resource: 'users', name };
  for (const one of groups) yield { ...demand, group: '', resource: 'groups', name: one };
  for (const [key, values] of extra) {
    for (const value of values) yield { ...demand, group, resource: 'userextras', subresource: key, name: value };
  }
  if (uid !== '') yield { ...demand, group, resource: 'uids', name: uid };
}

/** A service account has its groups unless others are named; whoever is not anonymous is authenticated. */
export function groupsOf({ name, groups }: Pick<UserInfo, 'name' | 'groups'>): readonly string[] {
  const account = parseServiceAccountUser(name);
  const named = account && groups.length === 0 ? serviceAccountGroups(account.namespace) : groups;
  if (named.includes(UNAUTHENTICATED_GROUP)) return named;
  const standard = name === ANONYMOUS_USER ? UNAUTHENTICATED_GROUP : AUTHENTICATED_GROUP;
  return named.includes(standard) ? named : [...named, standard];
}
