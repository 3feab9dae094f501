import type { UserInfo } from '../../api/user.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import type { Draft } from '../../schema/draft.ts';
import { formatTime } from '../../schema/time.ts';
import type { CertificateSigningRequest } from './certificate-signing-request.ts';

/** A request says who made it, whatever it claims. */
export function prepareRequest(
  { spec }: Draft<CertificateSigningRequest>,
  _context: HookContext,
  { name, uid, groups, extra }: UserInfo,
): void {
  delete spec.username;
  delete spec.uid;
  delete spec.groups;
  delete spec.extra;
  spec.username = name;
  if (uid) spec.uid = uid;
  spec.groups = [...groups];
  spec.extra = Object.fromEntries([...extra].map(([key, values]) => [key, [...values]]));
}

/** Conditions are stamped by the server: when they were last written, and when they last changed their mind. */
export function stampConditions(
  { status }: Draft<CertificateSigningRequest>,
  old: CertificateSigningRequest,
  { runtime }: HookContext,
): void {
  const now = formatTime(runtime.now());
  const earlier = new Map(old.status.conditions?.toReversed().map((condition) => [condition.type, condition]));
  for (const condition of status.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    if (condition.lastTransitionTime) continue;
    const before = earlier.get(condition.type);
    const unchanged = before?.status === condition.status && before.lastTransitionTime;
    condition.lastTransitionTime = unchanged || now;
  }
}
