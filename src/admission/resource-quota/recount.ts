import type { ResourceQuota, ResourceQuotaStatus } from '../../kinds/core/namespace/resource-quota.ts';
import { formatQuantity, type Quantity } from '../../schema/quantity.ts';
import { sameJson } from '../../schema/same-json.ts';
import { sum, type Usage, usageOf } from './usage.ts';

export interface Recount {
  /** Undefined when the quota says what it should. */
  readonly status: ResourceQuotaStatus | undefined;
  /** The quota says that more is used than was measured, which is to be looked at again when others are through. */
  readonly isHigh: boolean;
}

/**
 * What the status of a quota should be. `measured`: at least so much is used; `pending`: so much more may be, by writes of
 * other servers. What the quota says stands where it is between the two. What cannot be measured stands as it is.
 */
export function recount({ spec, status }: ResourceQuota, measured: Usage, pending: Usage): Recount {
  const { hard = {} } = spec;
  const said = usageOf(status.used);
  const most = sum(measured, pending);
  const used: Record<string, string> = {};
  let isHigh = false;
  for (const name in hard) {
    const low = measured.get(name);
    const right = low ? between(low, said.get(name), most.get(name) ?? low) : said.get(name);
    if (!right) continue;
    used[name] = formatQuantity(right);
    if (low && right.nanos > low.nanos) isHigh = true;
  }
  const isRight = sameJson(status.hard ?? {}, hard) && sameJson(status.used ?? {}, used);
  return { status: isRight ? undefined : { hard, used }, isHigh };
}

function between(low: Quantity, said: Quantity | undefined, high: Quantity): Quantity {
  if (!said || said.nanos < low.nanos) return low;
  return said.nanos > high.nanos ? high : said;
}
