import { at, type Json, textAt } from '../api/json.ts';

/** Fields with the values that they had and have. */
export function FieldChanges({ changes }: { changes: readonly Json[] }) {
  if (changes.length === 0) return <p class="quiet">No field is different.</p>;
  return (
    <ul class="field-changes">
      {changes.map((change) => (
        <li key={textAt(change, 'path')}>
          <code>{textAt(change, 'path')}</code>
          <Value value={at(change, 'before')} mark="−" class="before" />
          <Value value={at(change, 'after')} mark="+" class="after" />
        </li>
      ))}
    </ul>
  );
}

function Value({ value, mark, class: kind }: { value: Json | undefined; mark: string; class: string }) {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
  return (
    <pre class={kind}>
      <span aria-hidden="true">{mark} </span>
      {text}
    </pre>
  );
}
