import type { AnyObject } from '../../../client/plane-client.ts';
import { type AccessObject, planReconciliation, type Reconciliation } from '../access/reconciliation.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { type DryRun, outcomeWord, WRITE_FLAGS } from '../frame/write-flags.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { printOutcome } from '../print/print-objects.ts';
import { ObjectWrites } from '../resources/object-writes.ts';
import { FILE_FLAGS, type SelectedObject, selectObjects } from '../resources/selection.ts';

const MANAGER = 'platformctl-auth';
const KINDS: ReadonlySet<string> = new Set(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);

export const authReconcile = command({
  usage: 'auth reconcile -f FILE',
  about:
    'Makes roles and bindings allow what files say, and adds what is missing. What they allow besides stays, unless it is ' +
    'to be removed. A binding to another role is made anew, as roles of bindings cannot be changed.',
  examples: [['Make sure that permissions are there', 'auth reconcile -f roles.yaml']],
  flags: {
    ...FILE_FLAGS,
    ...OUTPUT_FLAGS,
    dryRun: WRITE_FLAGS.dryRun,
    removeExtraPermissions: onOff('remove-extra-permissions', false, 'remove what roles allow besides'),
    removeExtraSubjects: onOff('remove-extra-subjects', false, 'remove subjects that bindings have besides'),
  },
  async run({ args, flags, session }) {
    if (flags.filename.length === 0 && flags.kustomize === undefined) {
      throw new CommandError('must specify one of -f and -k');
    }
    const { groups, annotations } = await session.vocabulary();
    const writes = await ObjectWrites.of(session, { dryRun: flags.dryRun, fieldManager: MANAGER });
    const objects = await selectObjects(session, { args, ...flags });
    for (const object of objects) {
      const { resource, namespace, name } = object;
      if (resource.group !== groups.rbac || !KINDS.has(resource.kind)) continue;
      const wanted = wantedOf(object);
      const found = await writes.find({ kind: resource, namespace, name });
      const plan = planReconciliation(wanted, found as AccessObject | undefined, flags, annotations.rbacAutoupdate);
      const written = await carryOut(writes, object, plan, flags.dryRun);
      await printOutcome(session, written, outcomeWord('reconciled', flags.dryRun), flags);
      await tell(session, plan, flags, annotations.rbacAutoupdate);
    }
  },
});

function wantedOf({ manifest, namespace }: SelectedObject): AccessObject {
  const { object } = manifest ?? {};
  return { ...object, metadata: { ...object?.metadata, ...(namespace === '' ? {} : { namespace }) } } as AccessObject;
}

async function carryOut(
  writes: ObjectWrites,
  { resource, namespace, name }: SelectedObject,
  { operation, result, isProtected }: Reconciliation,
  dryRun: DryRun,
): Promise<AnyObject> {
  if (isProtected || operation === 'none' || dryRun === 'client') return result;
  const target = { kind: resource, namespace, name };
  if (operation === 'create') return writes.create(resource, namespace, result);
  if (operation === 'update') return writes.replace(target, result);
  const { uid } = result.metadata;
  await writes.delete(target, uid === undefined ? {} : { preconditions: { uid } });
  const { resourceVersion: _, uid: __, ...metadata } = result.metadata;
  return writes.create(resource, namespace, { ...result, metadata });
}

async function tell(
  session: Session,
  plan: Reconciliation,
  flags: { readonly removeExtraPermissions: boolean; readonly removeExtraSubjects: boolean },
  optOut: string,
): Promise<void> {
  if (plan.operation === 'none') return;
  const caveat = plan.isProtected ? `, but object opted out (${optOut}: false)` : '';
  const lines = [`reconciliation required ${plan.operation}${caveat}`];
  const list = (title: string, items: readonly string[]): void => {
    if (items.length > 0) lines.push(title, ...items.map((item) => `\t${item}`));
  };
  list('missing rules added:', plan.missingRules);
  if (flags.removeExtraPermissions) list('extra rules removed:', plan.extraRules);
  list('missing subjects added:', plan.missingSubjects);
  if (flags.removeExtraSubjects) list('extra subjects removed:', plan.extraSubjects);
  await write(session.io.stderr, lines.map((line) => `\t${line}\n`).join(''));
}
