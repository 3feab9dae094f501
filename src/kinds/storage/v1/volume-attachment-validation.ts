import { formatted, IMMUTABLE } from '../../../meta/field-rules.ts';
import { dns1123Subdomain } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import { validateInlineVolume } from '../../core/volume/persistent-volume-validation.ts';
import { validateDriverName } from '../../core/volume/volume-sources-validation.ts';
import type { VolumeAttachment, VolumeAttachmentSource } from './volume-attachment.ts';

const SPEC = Path.of('spec');
const STATUS = Path.of('status');
const LARGEST_METADATA = 256 * 1024;
const LONGEST_MESSAGE = 1024;

export function validateVolumeAttachment(
  { spec, status }: VolumeAttachment,
  problems: Problems,
  context: HookContext,
): void {
  validateDriverName(spec.attacher, SPEC, 'attacher', problems);
  validateSource(spec.source, SPEC.child('source'), problems, context);
  formatted(problems, SPEC, 'nodeName', spec.nodeName, dns1123Subdomain);
  const { attachmentMetadata = {} } = status;
  const size = Object.entries(attachmentMetadata).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
  if (size > LARGEST_METADATA) problems.tooLong(STATUS.child('attachmentMetadata'), LARGEST_METADATA);
  for (const field of ['attachError', 'detachError'] as const) {
    if (Buffer.byteLength(status[field]?.message ?? '') > LONGEST_MESSAGE) {
      problems.tooLong(STATUS.child(field).child('message'), LONGEST_MESSAGE);
    }
  }
}

function validateSource(
  { persistentVolumeName: name, inlineVolumeSpec: inlined }: VolumeAttachmentSource,
  path: Path,
  problems: Problems,
  context: HookContext,
): void {
  const rule = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (name === undefined && !inlined) problems.required(path, rule);
  else if (name !== undefined && inlined) problems.forbidden(path, rule);
  else if (inlined) validateInlineVolume(inlined, path.child('inlineVolumeSpec'), problems, context);
  else if (name === '') {
    problems.required(path.child('persistentVolumeName'), 'must specify non empty persistentVolumeName');
  }
  if (name !== undefined) formatted(problems, path, 'persistentVolumeName', name, dns1123Subdomain);
}

export function validateVolumeAttachmentUpdate(
  { spec }: VolumeAttachment,
  old: VolumeAttachment,
  problems: Problems,
): void {
  if (!sameValue(spec, old.spec)) problems.invalid(SPEC, spec, IMMUTABLE);
}
