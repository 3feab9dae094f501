import type { QuotaAccounts } from '../admission/resource-quota/accounts.ts';
import { sameUsage } from '../admission/resource-quota/usage.ts';
import type { ResourceQuota } from '../kinds/core/namespace/resource-quota.ts';
import { identityOf as placeOf } from '../registry/keys.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { restEveryTurn } from '../runtime/pacing.ts';
import type { Timer } from '../runtime/runtime.ts';
import { sameJson } from '../schema/same-json.ts';
import type { Version } from '../storage/log/version.ts';
import { type Controller, type ControllerParts, type StartController, servedType } from './controller.ts';
import { QuotaNames } from './quota-names.ts';

const QUOTAS = { group: '', plural: 'resourcequotas' };

/** Whatever has been missed is mended after this time; the first time soon after the start. */
const EVERYTHING_EVERY_MS = 300_000;
const FIRST_MS = 1_000;

/**
 * Keeps what quotas say true: measures them when they are new or changed, when something that they count goes or comes
 * to use less, and now and then anyway. Only kinds that some quota counts are followed.
 */
export const resourceQuotaLoop =
  (accounts: QuotaAccounts): StartController =>
  (parts) =>
    new ResourceQuotaLoop(parts, accounts);

class ResourceQuotaLoop implements Controller {
  readonly #parts: ControllerParts;
  readonly #accounts: QuotaAccounts;
  readonly #subscriptions: { close(): void }[];
  /** Collections. */
  readonly #followed = new Set<string>();
  readonly #names = new QuotaNames();
  #timer: Timer;

  constructor(parts: ControllerParts, accounts: QuotaAccounts) {
    this.#parts = parts;
    this.#accounts = accounts;
    this.#subscriptions = [];
    this.#subscriptions.push(
      parts.informer.follow(QUOTAS, {
        onSet: (object) => this.#look(object as ResourceQuota),
        onRemove: (object) => this.#accounts.forget(object as ResourceQuota),
      }),
    );
    this.#timer = this.#mendAfter(FIRST_MS);
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    for (const subscription of this.#subscriptions) subscription.close();
    await this.#accounts.close();
  }

  #look(quota: ResourceQuota): void {
    const { namespace = '' } = quota.metadata;
    this.#accounts.note(quota);
    this.#followCounted(quota);
    if (!sameJson(quota.spec.hard ?? {}, quota.status.hard ?? {})) this.#accounts.disturb(namespace);
  }

  #followCounted(quota: ResourceQuota): void {
    const names = Object.keys(quota.spec.hard ?? {});
    if (!this.#names.areNew(this.#parts.catalogue.revision, names)) return;
    for (const type of this.#accounts.countedBy(quota)) this.#follow(type);
  }

  #follow(type: ResourceType): void {
    if (this.#followed.has(type.collection)) return;
    this.#followed.add(type.collection);
    const { objects } = this.#parts;
    this.#subscriptions.push(
      objects.subscribe(
        type,
        { after: objects.revision },
        {
          onVersions: (versions) => {
            for (const version of versions) this.#observe(type, version);
          },
        },
      ),
    );
  }

  #observe(type: ResourceType, version: Version): void {
    const { namespace, name } = placeOf(type, version.key);
    if (this.#accounts.hasQuotas(namespace) && this.#isNews(type, namespace, name, version)) {
      this.#accounts.disturb(namespace);
    }
  }

  /** What was charged here is known; what came by another way, went or changed is not. */
  #isNews(type: ResourceType, namespace: string, name: string, version: Version): boolean {
    const { objects } = this.#parts;
    const { previous, deleted } = version;
    if (deleted) return true;
    if (!previous || previous.deleted) return !this.#accounts.isHeld(type, namespace, name);
    const evaluator = this.#accounts.evaluatorOf(type);
    if (evaluator.each) return false;
    return !sameUsage(evaluator.usage(objects.once(previous)), evaluator.usage(objects.of(version)));
  }

  #mendAfter(milliseconds: number): Timer {
    return this.#parts.runtime.after(milliseconds, () => {
      this.#timer = this.#mendAfter(EVERYTHING_EVERY_MS);
      void this.#mend();
    });
  }

  async #mend(): Promise<void> {
    const type = servedType(this.#parts, QUOTAS.group, QUOTAS.plural);
    const rest = restEveryTurn(this.#parts.runtime);
    const quotas = this.#parts.objects.versions(type);
    for (const namespace of new Set(quotas.map(({ key }) => placeOf(type, key).namespace))) {
      this.#accounts.disturb(namespace);
      await rest();
    }
  }
}
