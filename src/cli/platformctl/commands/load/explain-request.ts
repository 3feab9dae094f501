import type { RememberedRequest } from '../../../../kinds/explain/request.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import { columnsText } from '../../print/columns.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';
import { allRemembered } from './remembered.ts';

export const explainRequest = command({
  usage: 'explain-request ID',
  about:
    'Tells what became of a request that was slow, had to wait or was turned away, and where its time went. The id is that of the Audit-Id header of its answer.',
  examples: [['Why did this take so long?', 'explain-request 5d2f4c9e-8a5b-4a53-9d6c-2f7b1d0c3e11']],
  flags: OUTPUT_FLAGS,
  async run({ args, flags, session }) {
    const [id, ...more] = args;
    if (id === undefined || more.length > 0) throw new CommandError('exactly one id is expected');
    const all = await allRemembered<RememberedRequest>(session, 'RememberedRequest');
    // An id that a client chose is not the name of what is remembered, and may be that of several requests.
    const found = all.filter(({ metadata, status }) => metadata.name === id || status.auditID === id);
    const newest = found.at(-1);
    if (!newest) {
      throw new CommandError(
        `the plane does not remember a request "${id}": only slow ones are kept, those that waited, and those turned away`,
      );
    }
    if (asksForObjects(flags)) return printObject(session, newest, flags, 'given');
    for (const request of found) await write(session.io.stdout, storyText(request));
  },
});

function storyText({ metadata, status }: RememberedRequest): string {
  const { user, impersonator, method, path, query, code, message, reasons, milliseconds, flow, webhooks } = status;
  const lines = [
    ['Request', `${method} ${path}${query ? `?${query}` : ''}`],
    ['By', [user ?? '<unknown>', impersonator ? `sent by ${impersonator}` : ''].filter(Boolean).join(', ')],
    ['At', metadata.creationTimestamp ?? ''],
    ['Answer', [String(code), message].filter(Boolean).join(' ')],
    ['Kept because', (reasons ?? []).join(', ')],
    ...(flow ? [['Flow', `${flow.schema}, level ${flow.level}`]] : []),
    ...(flow?.waitedBecause ? [['Waited because', flow.waitedBecause]] : []),
    ...(flow?.refused ? [['Turned away', flow.refused]] : []),
  ];
  const { total, ...parts } = milliseconds;
  const times = Object.entries({ total, ...parts }).map(([part, spent]) => [`  ${part}`, `${spent}ms`]);
  const calls = (webhooks ?? []).map((call) => [
    `  ${call.webhook}`,
    `${call.milliseconds}ms`,
    `${call.phase} ${call.outcome}`,
  ]);
  return [
    columnsText(lines.map(([name = '', text = '']) => [`${name}:`, text])),
    `Time:\n${columnsText(times)}`,
    calls.length > 0 ? `Webhooks:\n${columnsText(calls)}` : '',
  ].join('');
}
