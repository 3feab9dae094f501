import type { Json } from '../api/json.ts';
import type { Conflict, Draft } from './draft.ts';
import { overlaps, pathText } from './field-diff.ts';

/** What others did to an object while it was edited, and what became of the same fields here. */
export function ConflictStory({ draft, conflict }: { draft: Draft; conflict: Conflict }) {
  const { byOthers, mine, both } = conflict;
  const rows = [
    ...byOthers.map(({ path }) => path),
    ...mine.map(({ path }) => path).filter((path) => !byOthers.some((other) => overlaps(other.path, path))),
  ];
  return (
    <section class="conflict notice" role="alert" aria-label="Conflict">
      <strong>Somebody changed this object while you edited it</strong>
      <p>
        {both.length === 0
          ? 'None of your fields is among theirs: both can stand.'
          : `${both.length === 1 ? 'One field was' : `${both.length} fields were`} changed by both. Yours would replace theirs.`}
      </p>
      <table class="plain">
        <thead>
          <tr>
            <th>Field</th>
            <th>Before</th>
            <th>Theirs</th>
            <th>Yours</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((path) => {
            const other = byOthers.find((one) => one.path === path);
            const own = mine.find((one) => overlaps(one.path, path));
            return (
              <tr key={pathText(path)} class={other && own ? 'warning' : ''}>
                <td>
                  <code>{pathText(path)}</code>
                </td>
                <td>{shortly((other ?? own)?.before)}</td>
                <td>{other ? shortly(other.after) : ''}</td>
                <td>{own ? shortly(own.after) : ''}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div class="buttons">
        <button type="button" onClick={() => draft.begin(conflict.theirs)}>
          Take theirs
        </button>
        <button type="button" class="primary" onClick={() => draft.rebase(conflict)}>
          Put mine on top
        </button>
      </div>
    </section>
  );
}

const LONGEST = 80;

function shortly(value: Json | undefined): string {
  if (value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
