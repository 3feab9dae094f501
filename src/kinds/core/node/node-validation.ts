import { isOnePerFamily, parseAddressRange } from '../../../meta/addresses.ts';
import { formatted, required, seenBefore } from '../../../meta/field-rules.ts';
import { labelValue, qualifiedName } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import { type Amounts, validateAmount } from '../resource-validation.ts';
import type { Node } from './node.ts';
import type { Taint } from './taint.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');
const CIDRS = SPEC.child('podCIDRs');
/** Clients know the path of taints as it is here. */
const TAINTS = Path.of('metadata', 'taints');

export function validateNode({ spec, status }: Node, problems: Problems, context: HookContext): void {
  if (spec.taints) validateTaints(spec.taints, problems);
  validateAmounts(status.capacity, STATUS.child('capacity'), problems, context);
  validateAmounts(status.allocatable, STATUS.child('allocatable'), problems, context);
  if (spec.podCIDRs) validateCidrs(spec.podCIDRs, problems);
}

const EFFECTS = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];

function validateTaints(taints: readonly Taint[], problems: Problems): void {
  const seen = new Set<string>();
  taints.forEach((taint, at) => {
    const { key, value = '', effect } = taint;
    const path = TAINTS.index(at);
    formatted(problems, path, 'key', key, qualifiedName);
    formatted(problems, path, 'value', value, labelValue);
    if (required(problems, path, 'effect', effect) && !EFFECTS.includes(effect)) {
      problems.notSupported(path.child('effect'), effect, EFFECTS);
    }
    const pair = `${key}:${effect}`;
    if (seen.has(pair)) problems.duplicate(path, taint);
    seen.add(pair);
  });
}

function validateAmounts(amounts: Amounts | undefined, path: Path, problems: Problems, context: HookContext): void {
  for (const name in amounts) {
    validateAmount(name, amounts[name] ?? '0', path.child(name), problems, context.vocabulary);
  }
}

function validateCidrs(cidrs: readonly string[], problems: Problems): void {
  const isRepeated = seenBefore();
  cidrs.forEach((text, at) => {
    if (!parseAddressRange(text)) problems.invalid(CIDRS.index(at), cidrs, 'must be valid CIDR');
    if (isRepeated(text)) problems.duplicate(CIDRS.index(at), text);
  });
  const addresses = cidrs.map((text) => parseAddressRange(text)?.address).filter((address) => address !== undefined);
  if (!isOnePerFamily(addresses) || (cidrs.length > 1 && addresses.length < cidrs.length)) {
    problems.invalid(CIDRS, cidrs, 'may specify no more than one CIDR for each IP family');
  }
}

/** What a node is known by stays, once it is set. */
export function validateNodeUpdate(node: Node, old: Node, problems: Problems): void {
  validateNodeAddresses(node, problems);
  const { podCIDRs, providerID, externalID } = old.spec;
  if (podCIDRs?.length && !sameValue(node.spec.podCIDRs, podCIDRs)) {
    problems.forbidden(CIDRS, 'node updates may not change podCIDR except from "" to valid');
  }
  if (providerID && node.spec.providerID !== providerID) {
    problems.forbidden(SPEC.child('providerID'), 'node updates may not change providerID except from "" to valid');
  }
  if ((node.spec.externalID ?? '') !== (externalID ?? '')) {
    problems.forbidden(SPEC.child('externalID'), 'may not be updated');
  }
}

function validateNodeAddresses({ status }: Node, problems: Problems): void {
  const seen = new Set<string>();
  status.addresses?.forEach(({ type, address }, at) => {
    const pair = JSON.stringify([type, address]);
    if (seen.has(pair)) problems.duplicate(STATUS.child('addresses').index(at), { type, address });
    seen.add(pair);
  });
}
