import { forbidden } from '../../api/errors.ts';
import { type AdmissionRequest, whenOver } from '../../registry/admission.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onAny } from '../rule.ts';
import type { QuotaAccounts } from './accounts.ts';
import type { LimitedResource } from './configuration.ts';
import { isCounted } from './evaluators.ts';
import type { Claim } from './judgement.ts';
import { excess, NOTHING, only } from './usage.ts';

/**
 * Lets nothing be written that would use more than the quotas of the namespace allow. What a write adds is charged before
 * it is stored, and given back if it is not.
 */
export class ResourceQuotaPlugin implements AdmissionPlugin {
  readonly rules = [
    onAny((type, subresource) => subresource === '' && isCounted(type)).validate({
      write: (request) => this.#hold(request),
    }),
  ];
  readonly #accounts: QuotaAccounts;
  readonly #limited: readonly LimitedResource[];

  constructor(accounts: QuotaAccounts, limited: readonly LimitedResource[]) {
    this.#accounts = accounts;
    this.#limited = limited;
  }

  #hold(request: AdmissionRequest): void | Promise<void> {
    const claim = this.#claimOf(request);
    return claim && this.#charge(claim, request);
  }

  #claimOf(request: AdmissionRequest): Claim | undefined {
    const { type, namespace, object, oldObject, dryRun } = request;
    const evaluator = this.#accounts.evaluatorOf(type);
    if (!object || (oldObject && !evaluator.changes)) return undefined;
    if (this.#limited.length === 0 && !this.#accounts.hasQuotas(namespace)) return undefined;
    const usage = evaluator.usage(object);
    const added = excess(usage, oldObject ? evaluator.usage(oldObject) : NOTHING);
    const name = object.metadata.name ?? '';
    const negative = [...only(usage, (resource) => (usage.get(resource)?.nanos ?? 0n) < 0n).keys()];
    if (negative.length > 0) {
      const why = `quota usage is negative for resource(s): ${negative.sort().join(',')}`;
      throw forbidden({ group: type.group, resource: type.plural }, name, why);
    }
    if (oldObject && added.size === 0) return undefined;
    return { type, namespace, name, object, evaluator, usage, added, limited: this.#limited, dryRun };
  }

  async #charge(claim: Claim, request: AdmissionRequest): Promise<void> {
    await this.#accounts.charge(claim);
    if (!claim.dryRun) whenOver(request, (failure) => this.#accounts.release(claim, failure));
  }
}
