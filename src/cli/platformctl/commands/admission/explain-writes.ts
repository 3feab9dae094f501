import type { AnyObject } from '../../../../client/plane-client.ts';
import type { AdmissionExplanation, AdmissionStep } from '../../../../kinds/explain/admission-explanation.ts';
import { CommandError, SilentExit } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { type DryRun, fieldValidation } from '../../frame/write-flags.ts';
import { columnsText } from '../../print/columns.ts';
import { asksForObjects, type OutputFlags } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';
import { ObjectWrites, whileDoing } from '../../resources/object-writes.ts';
import type { SelectedObject } from '../../resources/selection.ts';
import { objectName } from '../../resources/served-resources.ts';
import { orNone, valueText } from '../past/question.ts';

const HEADER = ['PHASE', 'TYPE', 'NAME', 'WITHIN', 'VERDICT', 'TIME', 'MESSAGE'];

interface ExplainFlags extends OutputFlags {
  readonly dryRun: DryRun;
  readonly fieldManager: string | undefined;
  readonly validate: Parameters<typeof fieldValidation>[0]['validate'];
  readonly fieldValidation: Parameters<typeof fieldValidation>[0]['fieldValidation'];
}

/** Sends a write of an object. */
export type SendWrite = (writes: ObjectWrites, object: SelectedObject) => Promise<AnyObject>;

/**
 * Tells of each object what admission would do with a write of it. Nothing is written. The exit code is 1 where one would be
 * refused.
 */
export async function explainWrites(
  session: Session,
  objects: readonly SelectedObject[],
  flags: ExplainFlags,
  manager: string,
  send: SendWrite,
): Promise<void> {
  if (flags.dryRun === 'client')
    throw new CommandError('--explain-admission asks the plane: --dry-run=client does not');
  const writes = await ObjectWrites.of(session, {
    fieldManager: flags.fieldManager ?? manager,
    dryRun: 'server',
    fieldValidation: fieldValidation(flags),
    explainsAdmission: true,
  });
  let isRefused = false;
  for (const object of objects) {
    const sending = send(writes, object).catch(whileDoing('explaining', object.manifest?.source ?? ''));
    const explanation = (await sending) as unknown as AdmissionExplanation;
    if (explanation.kind !== 'AdmissionExplanation') throw new CommandError('the plane does not explain admission');
    isRefused ||= !explanation.status.allowed;
    if (asksForObjects(flags)) await printObject(session, explanation, flags, 'given');
    else await write(session.io.stdout, storyText(objectName(object.resource, object.name), explanation));
  }
  if (isRefused) throw new SilentExit(1);
}

function storyText(name: string, { status }: AdmissionExplanation): string {
  const { allowed, code, refusedBy, refusal, remainingSteps = 0 } = status;
  const steps = status.steps ?? [];
  const concerned = steps.filter(({ verdict }) => verdict !== 'NotConcerned');
  const message = Object(refusal).message;
  const outcome = allowed
    ? `would be admitted (${code})`
    : `would be refused by ${refusedBy} (${code})${message ? `: ${message}` : ''}`;
  const others = steps.length - concerned.length + remainingSteps;
  return [
    `${name} ${outcome}\n`,
    concerned.length > 0 ? columnsText([HEADER, ...concerned.map(rowOf)]) : '',
    others > 0 ? `${others} more were not concerned, or not told.\n` : '',
    ...concerned.filter(({ changes }) => (changes ?? []).length > 0).map(changesText),
  ].join('');
}

const rowOf = ({ phase, type, name, within, verdict, milliseconds, message, round }: AdmissionStep): string[] => [
  round > 0 ? `${phase} again` : phase,
  type,
  name,
  orNone(within),
  verdict,
  milliseconds === undefined ? '<none>' : `${milliseconds}ms`,
  message ?? '',
];

function changesText({ name, changes = [], remainingChanges = 0 }: AdmissionStep): string {
  const rows = changes.map(({ path, before, after }) => [`  ${path}`, valueText(before), valueText(after)]);
  const more = remainingChanges > 0 ? `  and ${remainingChanges} more\n` : '';
  return `\nChanged by ${name}:\n${columnsText([['  FIELD', 'BEFORE', 'AFTER'], ...rows])}${more}`;
}
