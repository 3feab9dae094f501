import type { FlagValues } from '../../../../settings/flag.ts';
import { command, type Invocation } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Session } from '../../frame/session.ts';
import { fieldValidation } from '../../frame/write-flags.ts';
import type { ManifestObject } from '../../manifests/read-manifests.ts';
import { eachWritten, type Written } from '../../resources/each-written.ts';
import { ObjectWrites } from '../../resources/object-writes.ts';
import { documentOf, refuseOverlays, type SelectedObject, selectObjects } from '../../resources/selection.ts';
import { APPLY_FLAGS } from './apply-flags.ts';

type ApplyFlags = FlagValues<typeof APPLY_FLAGS>;

/** Applies one object. */
export type ApplyOne = (object: SelectedObject, document: ManifestObject) => Promise<Written>;

export const apply = command({
  usage: 'apply -f FILE',
  about:
    'Makes objects what files say, and creates those that are not there. The plane merges, and refuses to change fields that others manage; --client-side merges as older tools do.',
  examples: [
    ['All files of a folder', 'apply -f folder'],
    ['Take over what others manage', 'apply -f web.yaml --force-conflicts'],
    ['What admission would do with it', 'apply -f web.yaml --explain-admission'],
    ['Delete what is in no file any more', 'apply -f folder --prune -l app=web'],
    ['The same, without labels of your own', 'apply -f folder --prune --applyset=web'],
  ],
  flags: APPLY_FLAGS,
  async run({ args, flags, session, isGiven }: Invocation<typeof APPLY_FLAGS>) {
    refuseOverlays(flags.kustomize);
    if (flags.filename.length === 0) throw new CommandError('must specify one of -f and -k');
    demandSense(flags, isGiven('serverSide'));
    const objects = await selectObjects(session, {
      filename: flags.filename,
      recursive: flags.recursive,
      selector: flags.selector,
      args,
    });
    if (objects.length === 0 && !flags.prune) throw new CommandError('no objects passed to apply');
    if (flags.explainAdmission) return explain(session, flags, objects);
    const set = flags.applyset === undefined ? undefined : await openSet(session, flags, objects);
    const applyOne = await applier(session, flags);
    const written = await eachWritten(session, objects, flags, 'applying', (object) => {
      const document = documentOf(object);
      return applyOne(object, set ? set.member(document) : document);
    });
    if (set) await set.prune(written);
    else if (flags.prune) {
      const { prune } = await import('./pruning.ts');
      await prune(session, flags, objects, written);
    }
  },
});

function demandSense(flags: ApplyFlags, isServerSideGiven: boolean): void {
  const isServerSide = flags.serverSide && !flags.clientSide;
  if (flags.serverSide && isServerSideGiven && flags.clientSide) {
    throw new CommandError('--server-side and --client-side cannot be used together');
  }
  if (flags.forceConflicts && !isServerSide) throw new CommandError('--force-conflicts only works with --server-side');
  if (isServerSideGiven && isServerSide && flags.dryRun === 'client') {
    throw new CommandError(`--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)`);
  }
  if (flags.force && isServerSide && isServerSideGiven)
    throw new CommandError('--force cannot be used with --server-side');
  if (flags.applyset !== undefined && !flags.prune) throw new CommandError('--applyset requires --prune');
  if (flags.applyset !== undefined && (flags.selector !== undefined || flags.all)) {
    throw new CommandError('--selector and --all are incompatible with --applyset');
  }
  if (flags.prune && flags.applyset === undefined && !flags.all && flags.selector === undefined) {
    throw new CommandError(
      'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    );
  }
}

async function explain(session: Session, flags: ApplyFlags, objects: readonly SelectedObject[]): Promise<void> {
  if (flags.clientSide || flags.prune) {
    throw new CommandError(
      '--explain-admission is for one write of each object: not with --client-side, nor with --prune',
    );
  }
  const { explainWrites } = await import('../admission/explain-writes.ts');
  await explainWrites(session, objects, flags, 'platformctl', (writes, object) => {
    const { resource: kind, namespace, name } = object;
    const { managedFields: _, ...metadata } = documentOf(object).metadata;
    const target = { kind, namespace, name, subresource: flags.subresource ?? '' };
    return writes.apply(target, { ...documentOf(object), metadata }, flags.forceConflicts);
  });
}

async function openSet(session: Session, flags: ApplyFlags, objects: readonly SelectedObject[]) {
  const { ApplySet } = await import('./apply-set.ts');
  return ApplySet.open(session, flags, objects);
}

/** How objects are applied: by the plane, unless the line wants it done here. */
async function applier(session: Session, flags: ApplyFlags): Promise<ApplyOne> {
  const isClientSide = flags.clientSide || !flags.serverSide || flags.dryRun === 'client';
  const writes = await ObjectWrites.of(session, {
    fieldManager: flags.fieldManager ?? (isClientSide ? 'platformctl-client-side-apply' : 'platformctl'),
    dryRun: flags.dryRun,
    fieldValidation: fieldValidation(flags),
  });
  if (isClientSide) {
    const { ClientSideApply } = await import('./client-side.ts');
    const side = await ClientSideApply.of(session, writes, flags);
    return (object, document) => side.apply(object, document);
  }
  const { serverSideApply } = await import('./server-side.ts');
  return (object, document) => serverSideApply(session, writes, object, document, flags);
}
