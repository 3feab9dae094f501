import { placeText } from '../apply/field-set.ts';
import type { Owner } from '../apply/owners.ts';
import type { OwnershipConflict } from '../apply/ownership.ts';
import { ApiError } from '../errors.ts';

/** 409 with one cause for each field, naming who owns it. */
export function ownershipConflict({ conflicts }: OwnershipConflict): ApiError {
  const causes = conflicts.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${ownerText(owner)}`,
    field: placeText(path),
  }));
  const [first] = causes;
  if (first && causes.length === 1) {
    return new ApiError('Conflict', `Apply failed with 1 conflict: ${first.message}: ${first.field}`, { causes });
  }
  const owners = new Map<string, string[]>();
  for (const { owner, path } of conflicts) {
    const text = ownerText(owner);
    owners.set(text, [...(owners.get(text) ?? []), placeText(path)]);
  }
  const texts = [...owners].sort().map(([owner, fields]) => [`conflicts with ${owner}:`, ...fields].join('\n- '));
  return new ApiError('Conflict', `Apply failed with ${causes.length} conflicts: ${texts.join('\n')}`, { causes });
}

/** An applier is itself in every version; an updater is not. */
function ownerText({ manager, operation, apiVersion, subresource }: Owner): string {
  const through = subresource === '' ? '' : ` with subresource "${subresource}"`;
  return `"${manager}"${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
