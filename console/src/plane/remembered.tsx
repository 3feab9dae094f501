import { useSignal } from '@preact/signals';
import { lookUp } from '../api/explaining.ts';
import { type Json, listAt, numberAt, objectAt, textAt } from '../api/json.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { ageOf, clock } from '../state/clock.ts';

/** Requests that were slow, had to wait or were turned away, and where their time went. */
export function Remembered() {
  const answer = useAnswer((signal) => lookUp('requests', '', signal), []);
  const open = useSignal('');
  if (answer.error) return <Notice title="Requests cannot be told" error={answer.error} />;
  const items = [...listAt(answer.value ?? null, 'items')].sort((a, b) => total(b) - total(a));
  return (
    <>
      <section class="card lone">
        <table class="plain">
          <thead>
            <tr>
              <th>When</th>
              <th>Took</th>
              <th>Why</th>
              <th>User</th>
              <th>What</th>
              <th>Code</th>
            </tr>
          </thead>
          <tbody>
            {items.map((one) => {
              const name = textAt(one, 'metadata', 'name');
              return (
                <tr key={name}>
                  <td>{ageOf(textAt(one, 'metadata', 'creationTimestamp'), clock.value)}</td>
                  <td>{Math.round(total(one))} ms</td>
                  <td>{listAt(one, 'status', 'reasons').join(', ')}</td>
                  <td>{textAt(one, 'status', 'user')}</td>
                  <td>
                    <button
                      type="button"
                      class="link"
                      aria-expanded={open.value === name}
                      onClick={() => {
                        open.value = open.value === name ? '' : name;
                      }}
                    >
                      {textAt(one, 'status', 'verb')} {textAt(one, 'status', 'path')}
                    </button>
                    {open.value === name && <Parts request={one} />}
                  </td>
                  <td>{textAt(one, 'status', 'code')}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {answer.value && items.length === 0 && (
          <p class="nothing">No request was slow, had to wait or was turned away.</p>
        )}
      </section>
      <CommandLine line="platformctl explain-request" />
    </>
  );
}

const total = (request: Json): number => numberAt(request, 'status', 'milliseconds', 'total') ?? 0;

/** Where the time of a request went. */
function Parts({ request }: { request: Json }) {
  const parts = Object.entries(objectAt(request, 'status', 'milliseconds')).filter(([name]) => name !== 'total');
  return (
    <dl class="facts parts">
      {parts.map(([name, spent]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <meter min={0} max={total(request) || 1} value={Number(spent)} aria-label={name} />{' '}
            {Math.round(Number(spent))} ms
          </dd>
        </div>
      ))}
      {textAt(request, 'status', 'flow', 'waitedBecause') !== '' && (
        <div>
          <dt>waited</dt>
          <dd>{textAt(request, 'status', 'flow', 'waitedBecause')}</dd>
        </div>
      )}
      <div>
        <dt>id</dt>
        <dd>{textAt(request, 'status', 'auditID')}</dd>
      </div>
    </dl>
  );
}
