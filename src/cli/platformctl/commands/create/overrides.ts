import { applyJsonPatch, parseJsonPatch } from '../../../../patch/json-patch.ts';
import { mergePatch } from '../../../../patch/merge-patch.ts';
import { choice, optionalText } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import type { MadeObject } from './generating.ts';

/** Flags with which people change what a command has made. */
export const OVERRIDE_FLAGS = {
  overrides: optionalText('overrides', 'JSON', 'a patch of the object that is made'),
  overrideType: choice('override-type', ['merge', 'json', 'strategic'], 'merge', 'how that patch is to be read'),
};

/** The object, with what the line wants otherwise. Lists are replaced whole: what is made here has few. */
export function overridden<T extends MadeObject>(
  object: T,
  {
    overrides,
    overrideType,
  }: { readonly overrides: string | undefined; readonly overrideType: 'merge' | 'json' | 'strategic' },
): T {
  if (overrides === undefined) return object;
  if (overrideType === 'strategic')
    throw new CommandError('--override-type=strategic is not done here: use merge or json');
  let patch: unknown;
  try {
    patch = JSON.parse(overrides);
  } catch (error) {
    throw new CommandError(`invalid JSON in --overrides: ${error instanceof Error ? error.message : String(error)}`);
  }
  return (overrideType === 'json' ? applyJsonPatch(object, parseJsonPatch(patch)) : mergePatch(object, patch)) as T;
}
