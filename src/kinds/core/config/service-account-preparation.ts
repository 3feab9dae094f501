import type { Draft } from '../../../schema/draft.ts';
import type { ServiceAccount } from './service-account.ts';

/** Secrets are referred to by name; whatever else a client says about them is dropped. */
export function keepSecretNames(account: Draft<ServiceAccount>): void {
  if (!account.secrets) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}
