import type { ResourceQuota } from '../../kinds/core/namespace/resource-quota.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Registry } from '../../registry/registry.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { evaluatorsFor } from './evaluators.ts';
import type { Claim } from './judgement.ts';
import { countedBy } from './measure.ts';
import { type AccountParts, NamespaceAccount, QUOTAS } from './namespace-account.ts';

export interface QuotaAccountsParts {
  readonly objects: Objects;
  readonly catalogue: Catalogue;
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  onError(error: unknown): void;
}

/**
 * The accounts of all namespaces, shared by the plugin that charges writes and the control loop that keeps what quotas
 * say true. An account exists while its namespace has quotas or writes that are held.
 */
export class QuotaAccounts {
  readonly evaluatorOf: AccountParts['evaluatorOf'];
  readonly #parts: AccountParts;
  readonly #accounts = new Map<string, NamespaceAccount>();
  #isClosed = false;

  constructor({ vocabulary, ...parts }: QuotaAccountsParts) {
    this.evaluatorOf = evaluatorsFor(vocabulary, parts.runtime);
    this.#parts = { ...parts, evaluatorOf: this.evaluatorOf };
  }

  hasQuotas(namespace: string): boolean {
    return this.#parts.objects.count(QUOTAS, namespace) > 0;
  }

  /** Resolves when the write has been charged; whoever calls tells `release` how it ended. Rejects with the refusal. */
  charge(claim: Claim): Promise<void> {
    return this.#accountOf(claim.namespace).charge(claim);
  }

  /** `failure`: why the write was not stored. */
  release(claim: Claim, failure: unknown): void {
    this.#accounts.get(claim.namespace)?.release(claim, failure);
  }

  isHeld(type: ResourceType, namespace: string, name: string): boolean {
    return this.#accounts.get(namespace)?.isHeld(type, name) ?? false;
  }

  /** What quotas of the namespace count may have become less. */
  disturb(namespace: string): void {
    if (!this.#isClosed) this.#accountOf(namespace).disturb();
  }

  /** A quota is there, or has changed. */
  note(quota: ResourceQuota): void {
    this.#accountOf(quota.metadata.namespace ?? '').note(quota);
  }

  forget(quota: ResourceQuota): void {
    const { namespace = '' } = quota.metadata;
    const account = this.#accounts.get(namespace);
    account?.forget(quota);
    if (account?.isIdle && !this.hasQuotas(namespace)) this.#accounts.delete(namespace);
  }

  countedBy(quota: ResourceQuota): ResourceType[] {
    return countedBy(this.#parts, quota);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#accounts.values()].map((account) => account.close()));
  }

  #accountOf(namespace: string): NamespaceAccount {
    const account = this.#accounts.get(namespace) ?? new NamespaceAccount(this.#parts, namespace);
    this.#accounts.set(namespace, account);
    return account;
  }
}
