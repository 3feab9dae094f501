import { ask, canExplain } from '../api/explaining.ts';
import { at, type Json, listAt, textAt } from '../api/json.ts';
import { Absent } from '../parts/absent.tsx';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { GrantList } from './grants.tsx';
import { AccessForm, askedAccess } from './question-form.tsx';

/** Everyone who may do something, and by what. */
export function WhoCan() {
  if (!canExplain('whocanreviews')) return <Absent what="Who can do something" />;
  const { attributes, verb, resource, namespace } = askedAccess();
  return (
    <>
      <form class="question" aria-label="Who can" onSubmit={(event) => event.preventDefault()}>
        <AccessForm />
      </form>
      {/* What was answered to another question is no answer. */}
      <Subjects key={JSON.stringify(attributes)} attributes={attributes} />
      <CommandLine
        line={`platformctl auth who-can ${verb} ${resource}${namespace === '' ? ' --all-namespaces' : ` --namespace=${namespace}`}`}
      />
    </>
  );
}

function Subjects({ attributes }: { attributes: Json }) {
  const answer = useAnswer(
    (signal) => ask('whocanreviews', { resourceAttributes: attributes }, signal),
    [JSON.stringify(attributes)],
  );
  if (answer.error) return <Notice title="This cannot be told" error={answer.error} />;
  if (!answer.value) return <p class="waiting">Asking…</p>;
  const subjects = listAt(answer.value, 'subjects');
  return (
    <section class="card lone" aria-label="Who can">
      {at(answer.value, 'everyone') === true && <p class="problem">Everyone can.</p>}
      {at(answer.value, 'incomplete') === true && (
        <p class="quiet">The list may not be whole: {textAt(answer.value, 'evaluationError')}</p>
      )}
      <table class="plain">
        <thead>
          <tr>
            <th>Kind</th>
            <th>Name</th>
            <th>By</th>
          </tr>
        </thead>
        <tbody>
          {subjects.map((subject) => {
            const name = [textAt(subject, 'namespace'), textAt(subject, 'name')].filter(Boolean).join('/');
            return (
              <tr key={textAt(subject, 'kind') + name}>
                <td>{textAt(subject, 'kind')}</td>
                <td>
                  <b>{name}</b>
                </td>
                <td>
                  <GrantList grants={listAt(subject, 'grants')} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {subjects.length === 0 && <p class="nothing">Nobody.</p>}
    </section>
  );
}
