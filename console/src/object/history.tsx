import { useSignal } from '@preact/signals';
import { ask, canExplain } from '../api/explaining.ts';
import { type Json, type JsonObject, listAt, textAt } from '../api/json.ts';
import { messageOf } from '../api/request.ts';
import { Absent } from '../parts/absent.tsx';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { Dialog } from '../shell/dialog.tsx';
import { tell } from '../shell/toasts.tsx';
import { ageOf, clock } from '../state/clock.ts';
import { commandTarget, explainedObject } from './explained.ts';
import { FieldChanges } from './field-changes.tsx';
import type { LiveObject } from './live-object.ts';

/** The versions of an object that are remembered: what each changed, and a way back. */
export function History({ live, object }: { live: LiveObject; object: JsonObject }) {
  if (!canExplain('objecthistories')) return <Absent what="History" />;
  return <Versions live={live} version={`${textAt(object, 'metadata', 'resourceVersion')} ${live.isGone.value}`} />;
}

function Versions({ live, version }: { live: LiveObject; version: string }) {
  const answer = useAnswer(
    (signal) => ask('objecthistories', { object: explainedObject(live), limit: 200 }, signal),
    [live, version],
  );
  const chosen = useSignal('');
  const restoring = useSignal<Json | undefined>(undefined);
  if (answer.error) return <Notice title="The history cannot be read" error={answer.error} />;
  const versions = listAt(answer.value ?? null, 'versions');
  return (
    <>
      <ol class="timeline">
        {versions.map((one, i) => {
          const revision = textAt(one, 'resourceVersion');
          const isOpen = chosen.value === revision;
          const before = versions[i + 1];
          return (
            <li key={revision} class={textAt(one, 'event').toLowerCase()}>
              <div class="version">
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => {
                    chosen.value = isOpen ? '' : revision;
                  }}
                >
                  <b>{textAt(one, 'event')}</b> <span class="mono">{revision}</span>
                </button>
                <span>{who(one)}</span>
                <span class="quiet" title={textAt(one, 'time')}>
                  {ageOf(textAt(one, 'time'), clock.value)} ago
                </span>
                <span class="spring" />
                {(i > 0 || textAt(one, 'event') === 'Deleted') && (
                  <button
                    type="button"
                    onClick={() => {
                      restoring.value = one;
                    }}
                  >
                    Restore
                  </button>
                )}
              </div>
              {isOpen && (
                <Changes live={live} from={textAt(before ?? null, 'resourceVersion')} to={revision} version={one} />
              )}
            </li>
          );
        })}
      </ol>
      {answer.value && versions.length === 0 && <p class="nothing">No version is remembered.</p>}
      {restoring.value !== undefined && (
        <Restoring
          live={live}
          version={restoring.value}
          close={() => {
            restoring.value = undefined;
          }}
        />
      )}
      <CommandLine line={`platformctl history ${commandTarget(live)}`} />
    </>
  );
}

/** By whom a version was made, as far as that is known. */
function who(version: Json): string {
  const manager = textAt(version, 'fieldManager');
  const user = textAt(version, 'user');
  const through = [textAt(version, 'verb'), textAt(version, 'subresource')].filter(Boolean).join(' of ');
  const by = [user, manager === '' || manager === user ? '' : `as ${manager}`].filter(Boolean).join(' ');
  return [by || 'by whom is not remembered', through].filter(Boolean).join(', ');
}

function Changes({ live, from, to, version }: { live: LiveObject; from: string; to: string; version: Json }) {
  const spec = { object: explainedObject(live), fromRevision: from, toRevision: to };
  const answer = useAnswer(
    async (signal) => (from === '' ? {} : await ask('objectdiffs', spec, signal)),
    [live, from, to],
  );
  const id = textAt(version, 'auditID');
  return (
    <div class="changes">
      {id !== '' && (
        <p class="quiet small">
          Request <span class="mono">{id}</span>
        </p>
      )}
      {answer.error && <p class="problem">{answer.error.message}</p>}
      {from === '' && <p class="quiet">What was before is not remembered.</p>}
      {answer.value && from !== '' && <FieldChanges changes={listAt(answer.value, 'changes')} />}
    </div>
  );
}

function Restoring({ live, version, close }: { live: LiveObject; version: Json; close(): void }) {
  const revision = textAt(version, 'resourceVersion');
  const isDeletion = textAt(version, 'event') === 'Deleted';
  const object = explainedObject(live);
  const now = live.isGone.value || isDeletion ? '' : textAt(live.object.value, 'metadata', 'resourceVersion');
  const comparison = useAnswer(
    async (signal) =>
      now === '' ? {} : await ask('objectdiffs', { object, fromRevision: now, toRevision: revision }, signal),
    [revision],
  );
  const restore = async (): Promise<void> => {
    try {
      await ask('objectrestores', { object, revision });
      tell(`${live.name} is as it was at ${revision}`);
      close();
    } catch (error) {
      tell(messageOf(error), true);
    }
  };
  return (
    <Dialog title="Restore" close={close}>
      <h2>
        Restore {live.name} as of {revision}?
      </h2>
      <p class="quiet">
        {isDeletion
          ? 'Its last state before it was deleted is written anew.'
          : 'That state is written as a new version, with your rights.'}
      </p>
      {comparison.value && listAt(comparison.value, 'changes').length > 0 && (
        <FieldChanges changes={listAt(comparison.value, 'changes')} />
      )}
      <code class="line">
        platformctl restore {commandTarget(live)} --revision={revision}
      </code>
      <div class="buttons">
        <button type="button" onClick={close}>
          Leave it
        </button>
        <button type="button" class="primary" onClick={() => void restore()}>
          Restore
        </button>
      </div>
    </Dialog>
  );
}
