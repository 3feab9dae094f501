import type { UserInfo } from '../../api/user.ts';
import type { AccessCheck } from '../access-check.ts';

/** Whether a user may approve or sign for a signer: by its whole name, or by `<domain>/*`, which stands for all of a domain. */
export async function maySign(
  may: AccessCheck,
  user: UserInfo,
  verb: 'approve' | 'sign',
  group: string,
  signerName: string,
): Promise<boolean> {
  const [domain] = signerName.split('/', 1);
  const access = { verb, group, resource: 'signers' };
  return (await may(user, { ...access, name: signerName })) || may(user, { ...access, name: `${domain}/*` });
}
