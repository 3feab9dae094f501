import { ask, canExplain } from '../api/explaining.ts';
import { at, type Json, type JsonObject, listAt, textAt } from '../api/json.ts';
import { Absent } from '../parts/absent.tsx';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { findKind, objectRoute } from '../state/catalogue.ts';
import { linkTo } from '../state/route.ts';
import { commandTarget, explainedObject } from './explained.ts';
import type { LiveObject } from './live-object.ts';

/** What keeps an object from going, or would keep it. */
export function Deletion({ live, object }: { live: LiveObject; object: JsonObject }) {
  if (!canExplain('deletionreviews')) return <Absent what="What keeps an object" />;
  return <Blockers live={live} version={textAt(object, 'metadata', 'resourceVersion')} />;
}

function Blockers({ live, version }: { live: LiveObject; version: string }) {
  const answer = useAnswer(
    (signal) => ask('deletionreviews', { object: explainedObject(live) }, signal),
    [live, version],
  );
  if (answer.error) return <Notice title="This cannot be told" error={answer.error} />;
  if (!answer.value) return <p class="waiting">Asking…</p>;
  const blockers = listAt(answer.value, 'blockers');
  const isGoing = at(answer.value, 'deleting') === true;
  const unseen = listAt(answer.value, 'notSearched');
  return (
    <>
      <section class="card lone">
        <h2>{isGoing ? 'It is going' : 'It is not being deleted'}</h2>
        <p class="quiet">
          {blockers.length === 0
            ? 'Nothing that is known here keeps it.'
            : isGoing
              ? 'This keeps it:'
              : 'This would keep it:'}
        </p>
        <ul class="blockers">
          {blockers.map((blocker, i) => (
            // Blockers have no names of their own, and never move.
            <li key={`${i}`}>
              <span class={`chip ${at(blocker, 'certain') === true ? '' : 'doubtful'}`}>{textAt(blocker, 'type')}</span>
              <div>
                <b>{textAt(blocker, 'name')}</b> <Where blocker={blocker} />
                <p>{textAt(blocker, 'message')}</p>
                {listAt(blocker, 'owners').length > 0 && (
                  <p class="quiet">
                    set by{' '}
                    {listAt(blocker, 'owners')
                      .map((owner) => textAt(owner, 'manager'))
                      .join(', ')}
                  </p>
                )}
              </div>
            </li>
          ))}
        </ul>
        {unseen.length > 0 && <p class="quiet">Not looked at: {unseen.join(', ')}</p>}
      </section>
      <CommandLine line={`platformctl why-deleting ${commandTarget(live)}`} />
    </>
  );
}

function Where({ blocker }: { blocker: Json }) {
  const name = textAt(blocker, 'object', 'name');
  const kind = findKind(textAt(blocker, 'object', 'group'), textAt(blocker, 'object', 'resource'));
  if (!kind || name === '') return <span class="quiet">{textAt(blocker, 'object', 'resource')}</span>;
  return <a href={linkTo(objectRoute(kind, textAt(blocker, 'object', 'namespace'), name))}>{name}</a>;
}
