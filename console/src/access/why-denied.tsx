import { ask, canExplain, lookUp } from '../api/explaining.ts';
import { type JsonObject, listAt, objectAt, textAt } from '../api/json.ts';
import { Absent } from '../parts/absent.tsx';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { ageOf, clock } from '../state/clock.ts';
import { refine, route } from '../state/route.ts';
import { AccessForm, askedAccess } from './question-form.tsx';
import { Story } from './story.tsx';

/** Why a request was refused, or somebody could not do something. */
export function WhyDenied() {
  if (!canExplain('denials') && !canExplain('accessexplanations')) return <Absent what="Why something was denied" />;
  const { query } = route.value;
  const [id, user] = [query.get('id') ?? '', query.get('user') ?? ''];
  return (
    <>
      <form class="question" aria-label="Why denied" onSubmit={(event) => event.preventDefault()}>
        <label>
          Id of the answer
          <input
            class="mono"
            value={id}
            placeholder="Denial-Id"
            onChange={(event) => refine({ id: event.currentTarget.value.trim(), user: '' })}
          />
        </label>
        <span class="quiet">or</span>
        <label>
          User
          <input value={user} onChange={(event) => refine({ user: event.currentTarget.value.trim(), id: '' })} />
        </label>
        {id === '' && <AccessForm />}
      </form>
      {id !== '' ? <Denied id={id} /> : user !== '' ? <Explained user={user} /> : <Recent />}
    </>
  );
}

function Denied({ id }: { id: string }) {
  const answer = useAnswer((signal) => lookUp('denials', id, signal), [id]);
  if (answer.error) return <Notice title="Nothing is remembered under this id, or not for you" error={answer.error} />;
  if (!answer.value) return <p class="waiting">Asking…</p>;
  return (
    <>
      <section class="card lone">
        <p>{textAt(answer.value, 'request', 'message')}</p>
        <p class="quiet">
          {ageOf(textAt(answer.value, 'request', 'lastTime'), clock.value)} ago,{' '}
          {textAt(answer.value, 'request', 'count') || '1'} times
        </p>
      </section>
      <Story story={objectAt(answer.value, 'status')} />
      <CommandLine line={`platformctl auth why ${id}`} />
    </>
  );
}

function Explained({ user }: { user: string }) {
  const { attributes, verb, resource, namespace } = askedAccess();
  const spec: JsonObject = { user, groups: ['system:authenticated'], resourceAttributes: attributes };
  const answer = useAnswer((signal) => ask('accessexplanations', spec, signal), [JSON.stringify(spec)]);
  if (answer.error) return <Notice title="This cannot be told" error={answer.error} />;
  if (!answer.value) return <p class="waiting">Asking…</p>;
  return (
    <>
      <Story story={answer.value} />
      <CommandLine
        line={`platformctl auth why ${verb} ${resource} --as=${user}${namespace === '' ? '' : ` --namespace=${namespace}`}`}
      />
    </>
  );
}

/** What was refused lately. */
function Recent() {
  const answer = useAnswer(async (signal) => (canExplain('denials') ? await lookUp('denials', '', signal) : {}), []);
  if (answer.error) return <Notice title="What was refused is not for you to see" error={answer.error} />;
  const denials = listAt(answer.value ?? null, 'items');
  return (
    <section class="card lone">
      <h2>Refused lately</h2>
      <table class="plain">
        <thead>
          <tr>
            <th>When</th>
            <th>User</th>
            <th>What</th>
            <th>Times</th>
          </tr>
        </thead>
        <tbody>
          {denials.map((denial) => {
            const name = textAt(denial, 'metadata', 'name');
            return (
              <tr key={name}>
                <td>{ageOf(textAt(denial, 'request', 'lastTime'), clock.value)}</td>
                <td>{textAt(denial, 'spec', 'user')}</td>
                <td>
                  <button type="button" class="link" onClick={() => refine({ id: name })}>
                    {textAt(denial, 'request', 'message')}
                  </button>
                </td>
                <td class="number">{textAt(denial, 'request', 'count') || '1'}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {answer.value && denials.length === 0 && <p class="nothing">Nothing.</p>}
    </section>
  );
}
