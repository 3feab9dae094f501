import type { Recorded } from './recorded.ts';

/** `+1.250s alice update ConfigMap default/a → 200: data.key "v" → "w"`. */
export function storyLine(entry: Recorded): string {
  const time = `+${(entry.at / 1000).toFixed(3)}s`;
  const change = entry.change ? `: ${entry.change}` : '';
  if (entry.type === 'event') {
    const { client, event, kind, object, resourceVersion } = entry;
    return `${time} ${client} ← ${event} ${kind} ${object}${resourceVersion ? ` @${resourceVersion}` : ''}${change}`;
  }
  const { client, verb, kind, object, target, status, reason, disturbed } = entry;
  const what = kind === '' ? target : `${kind} ${object}`.trimEnd();
  const outcome = status === 0 ? 'connection broken off' : String(status);
  const why = reason ? ` ${reason}` : '';
  const fault = disturbed ? ` (chaos: ${disturbed.fault}${disturbed.isDone ? '' : ', nothing was done'})` : '';
  return `${time} ${client} ${verb} ${what} → ${outcome}${why}${change}${fault}`;
}
