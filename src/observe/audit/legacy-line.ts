import type { AuditEvent } from './event.ts';

const quoted = (text: string): string => JSON.stringify(text);
const listed = (texts: readonly string[]): string => quoted(texts.map(quoted).join(','));

/** An event as one line of words, in the form that was there before JSON. */
export function legacyLine({ fields }: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus, sourceIPs } = fields;
  const groups = user.username && user.groups?.length ? listed(user.groups) : '"<none>"';
  const actingGroups = impersonatedUser?.groups ? listed(impersonatedUser.groups) : '"<lookup>"';
  const words: readonly (readonly [string, string])[] = [
    ['id', quoted(fields.auditID)],
    ['stage', quoted(fields.stage)],
    ['ip', quoted(sourceIPs?.[0] ?? '<unknown>')],
    ['method', quoted(fields.verb)],
    ['user', quoted(user.username || '<none>')],
    ['groups', groups],
    ['as', quoted(impersonatedUser?.username ?? '<self>')],
    ['asgroups', actingGroups],
    ['user-agent', quoted(fields.userAgent ?? '')],
    ['namespace', quoted(objectRef?.namespace || '<none>')],
    ['uri', quoted(fields.requestURI)],
    ['response', quoted(String(responseStatus?.code ?? '<deferred>'))],
  ];
  return `${fields.requestReceivedTimestamp} AUDIT: ${words.map(([name, value]) => `${name}=${value}`).join(' ')}`;
}
