import { formatted, required } from '../../../meta/field-rules.ts';
import { qualifiedName } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { Event } from './event.ts';

const ROOT = Path.of('');
const LONGEST_WORD = 128;
const LONGEST_NOTE = 1024;

/** What both forms of an event have in common; `controller` is the field that says who reports. */
export interface Report {
  readonly namespace: string;
  readonly subjectNamespace: string;
  readonly controller: { readonly field: string; readonly name: string };
  readonly reportingInstance: string;
  readonly action: string;
  readonly reason: string;
  readonly note: string;
}

/** Events without a time of their own come from old clients, which said less. */
export function validateEvent(event: Event, problems: Problems, context: HookContext): void {
  const { metadata, involvedObject, eventTime } = event;
  const { namespace = '' } = metadata;
  const { namespace: subjectNamespace = '' } = involvedObject;
  if (!eventTime) {
    validateOldPlace(namespace, subjectNamespace, problems);
    return;
  }
  const { reportingComponent: name, reportingInstance, action = '', reason = '', message: note = '' } = event;
  const controller = { field: 'reportingComponent', name };
  validateReport(
    { namespace, subjectNamespace, controller, reportingInstance, action, reason, note },
    problems,
    context,
  );
}

const ELSEWHERE = 'does not match event.namespace';
const PLACE = 'involvedObject.namespace';

/** An event is in the namespace of its subject; subjects without one are reported on in the default namespace. */
export function validateOldPlace(namespace: string, subjectNamespace: string, problems: Problems): void {
  const expected = subjectNamespace === '' ? 'default' : subjectNamespace;
  if (namespace !== '' && namespace !== expected) problems.invalid(PLACE, subjectNamespace, ELSEWHERE);
}

export function validateReport(report: Report, problems: Problems, { vocabulary }: HookContext): void {
  const { namespace, subjectNamespace, controller, reportingInstance, action, reason, note } = report;
  if (subjectNamespace === '' && namespace !== 'default' && namespace !== vocabulary.namespaces.system) {
    problems.invalid(PLACE, subjectNamespace, ELSEWHERE);
  }
  required(problems, ROOT, controller.field, controller.name);
  formatted(problems, ROOT, controller.field, controller.name, qualifiedName);
  validateWord(reportingInstance, 'reportingInstance', problems);
  validateWord(action, 'action', problems);
  validateWord(reason, 'reason', problems);
  validateLength(note, LONGEST_NOTE, 'message', problems);
}

function validateWord(word: string, field: string, problems: Problems): void {
  required(problems, ROOT, field, word);
  validateLength(word, LONGEST_WORD, field, problems);
}

function validateLength(text: string, longest: number, field: string, problems: Problems): void {
  if (Buffer.byteLength(text) > longest) problems.invalid(field, '', `can have at most ${longest} characters`);
}
