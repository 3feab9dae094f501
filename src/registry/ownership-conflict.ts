import { ApiError, type Cause } from '../api/errors.ts';
import { placeText } from '../apply/field-set.ts';
import type { Owner } from '../apply/owners.ts';
import type { OwnershipConflict } from '../apply/ownership.ts';

/** So many are told one by one; of more, how many there are. */
const MOST_TOLD = 1_000;

/** The refusal of an apply, with what it is about for those who tell more than its text. */
export class OwnershipRefusal extends ApiError {
  readonly conflicts: OwnershipConflict['conflicts'];

  constructor(message: string, causes: readonly Cause[], conflicts: OwnershipConflict['conflicts']) {
    super('Conflict', message, { causes });
    this.conflicts = conflicts;
  }
}

/** 409 with one cause for each field, naming who owns it. */
export function ownershipConflict({ conflicts }: OwnershipConflict): OwnershipRefusal {
  const told = conflicts
    .slice(0, MOST_TOLD)
    .map(({ owner, path }) => ({ owner: ownerText(owner), field: placeText(path) }));
  const causes: Cause[] = told.map(({ owner, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${owner}`,
    field,
  }));
  const [first] = told;
  if (first && conflicts.length === 1) {
    const message = `Apply failed with 1 conflict: conflict with ${first.owner}: ${first.field}`;
    return new OwnershipRefusal(message, causes, conflicts);
  }
  const owners = new Map<string, string[]>();
  for (const { owner, field } of told) {
    const fields = owners.get(owner);
    if (fields) fields.push(field);
    else owners.set(owner, [field]);
  }
  const texts = [...owners].sort().map(([owner, fields]) => [`conflicts with ${owner}:`, ...fields].join('\n- '));
  const more = conflicts.length - told.length;
  if (more > 0) {
    texts.push(`and ${more} more`);
    causes.push({ reason: 'FieldManagerConflict', message: `${more} more conflicts` });
  }
  const message = `Apply failed with ${conflicts.length} conflicts: ${texts.join('\n')}`;
  return new OwnershipRefusal(message, causes, conflicts);
}

/** An applier is itself in every version; an updater is not. */
function ownerText({ manager, operation, apiVersion, subresource }: Owner): string {
  const through = subresource === '' ? '' : ` with subresource "${subresource}"`;
  return `"${manager}"${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
