import { list, optionalText } from '../../../../settings/flag.ts';
import { onOff } from '../../frame/flags.ts';
import { EXPLAIN_FLAGS, VALIDATION_FLAGS, WRITE_FLAGS } from '../../frame/write-flags.ts';
import { OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { CHOICE_FLAGS, FILE_FLAGS } from '../../resources/selection.ts';
import { DELETION_FLAGS } from '../delete/deletion-flags.ts';

export const APPLY_FLAGS = {
  ...FILE_FLAGS,
  ...WRITE_FLAGS,
  ...VALIDATION_FLAGS,
  ...EXPLAIN_FLAGS,
  ...OUTPUT_FLAGS,
  ...DELETION_FLAGS,
  selector: CHOICE_FLAGS.selector,
  all: onOff('all', false, 'with --prune: look at all objects of the kinds that are pruned'),
  serverSide: onOff('server-side', true, 'let the plane merge, and keep account of who manages which field'),
  clientSide: onOff('client-side', false, 'merge here, with what an annotation remembers of the last time'),
  forceConflicts: onOff('force-conflicts', false, 'take over fields that others manage'),
  overwrite: onOff('overwrite', true, 'with --client-side: also set fields that others have changed'),
  prune: onOff('prune', false, 'delete objects that were applied before and are in no file now'),
  pruneAllowlist: list(
    'prune-allowlist',
    'GROUP/VERSION/KIND',
    [],
    'kinds that are pruned; core/v1/Pod for the core group',
  ),
  applyset: optionalText('applyset', '[TYPE/]NAME', 'with --prune: object that remembers what belongs together'),
  subresource: optionalText('subresource', 'NAME', 'what of the objects to apply, such as status'),
  wait: onOff('wait', false, 'wait until deleted objects are gone'),
  openapiPatch: onOff('openapi-patch', true, 'with --client-side: merge lists as the schema of the plane says'),
};
