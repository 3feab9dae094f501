import { useSignal } from '@preact/signals';
import { canExplain } from '../api/explaining.ts';
import { type Json, type JsonObject, listAt, numberAt, textAt } from '../api/json.ts';
import { messageOf } from '../api/request.ts';
import { FieldChanges } from '../object/field-changes.tsx';
import { Notice } from '../parts/notice.tsx';
import type { Draft } from './draft.ts';

/** What admission would do with what is edited, for whoever wants to know. */
export function AdmissionStory({ draft }: { draft: Draft }) {
  const told = useSignal<{ readonly text: string; readonly answer: JsonObject } | undefined>(undefined);
  const error = useSignal<Error | undefined>(undefined);
  if (!canExplain('admissionexplanations')) return null;
  const look = async (): Promise<void> => {
    error.value = undefined;
    try {
      told.value = { text: draft.text.value, answer: await draft.explain() };
    } catch (problem) {
      error.value = problem instanceof Error ? problem : new Error(messageOf(problem));
    }
  };
  // What is told of another text is of no use.
  const answer = told.value?.text === draft.text.value ? told.value.answer : undefined;
  return (
    <section class="admission">
      {!answer && (
        <button type="button" class="link" onClick={() => void look()}>
          What does admission do with it?
        </button>
      )}
      {error.value && <Notice title="Admission cannot be explained" error={error.value} />}
      {answer && <Steps answer={answer} />}
    </section>
  );
}

function Steps({ answer }: { answer: JsonObject }) {
  const all = listAt(answer, 'status', 'steps');
  const steps = all.filter((step) => textAt(step, 'verdict') !== 'NotConcerned');
  const refusedBy = textAt(answer, 'status', 'refusedBy');
  return (
    <>
      <p role="status">
        {refusedBy === '' ? 'Admission takes it.' : `Refused by ${refusedBy}.`}{' '}
        <span class="quiet">
          {all.length - steps.length} of {all.length} that were asked are not concerned.
        </span>
      </p>
      <table class="plain">
        <thead>
          <tr>
            <th>Phase</th>
            <th>Asked</th>
            <th>Verdict</th>
            <th>Took</th>
            <th>What it did</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, i) => (
            <tr key={i}>
              <td>{textAt(step, 'phase')}</td>
              <td>
                {textAt(step, 'name')} <span class="quiet">{textAt(step, 'within') || textAt(step, 'type')}</span>
              </td>
              <td>{textAt(step, 'verdict')}</td>
              <td>{(numberAt(step, 'milliseconds') ?? 0).toFixed(1)} ms</td>
              <td>
                {textAt(step, 'message')}
                <Changes step={step} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Changes({ step }: { step: Json }) {
  const changes = listAt(step, 'changes');
  if (changes.length === 0) return null;
  const more = numberAt(step, 'remainingChanges') ?? 0;
  return (
    <>
      <FieldChanges changes={changes} />
      {more > 0 && <p class="quiet">and {more} more fields</p>}
    </>
  );
}
