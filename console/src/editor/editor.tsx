import type { EditorView } from '@codemirror/view';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { JsonObject } from '../api/json.ts';
import { type SchemaReader, schemaOf } from '../api/openapi.ts';
import { commandTarget } from '../object/explained.ts';
import type { LiveObject } from '../object/live-object.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { ageOf } from '../state/clock.ts';
import { AdmissionStory } from './admission-story.tsx';
import { type LineOwner, openEditor, replaceText, showOwners, showProblems } from './code-view.ts';
import { ConflictStory } from './conflict-story.tsx';
import { Draft } from './draft.ts';
import { type Owner, ownersIn, pathKey } from './field-owners.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { MOST_READ, YamlText } from './yaml-text.ts';

const READ_AFTER_MS = 150;

export function Editor({ live, object }: { live: LiveObject; object: JsonObject }) {
  const held = useRef<Draft | undefined>(undefined);
  held.current ??= new Draft(live, object);
  const draft = held.current;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const schema = useRef<SchemaReader | undefined>(undefined);
  const timer = useRef(0);
  const read = (): void => {
    const { current } = view;
    if (!current || draft.text.value.length > MOST_READ) return;
    const text = new YamlText(draft.text.value);
    showOwners(current, ownersByLine(text, draft.base.value));
    showProblems(current, [...text.problems, ...draft.places.value]);
  };
  useEffect(() => {
    // Without a schema there is nothing to complete, and everything else is the same.
    schemaOf(live.kind).then(
      (found) => {
        schema.current = found;
      },
      () => {
        schema.current = undefined;
      },
    );
    const { current } = place;
    if (!current) return;
    view.current = openEditor({
      place: current,
      text: draft.text.value,
      schema: () => schema.current,
      onChange(text) {
        draft.text.value = text;
        clearTimeout(timer.current);
        timer.current = setTimeout(read, READ_AFTER_MS);
      },
      onReview: () => void draft.look(),
    });
    read();
    return () => {
      clearTimeout(timer.current);
      view.current?.destroy();
    };
  }, []);
  useSignalEffect(() => {
    const { value } = draft.text;
    if (view.current && view.current.state.doc.toString() !== value) replaceText(view.current, value);
  });
  useSignalEffect(() => {
    draft.places.value;
    draft.base.value;
    read();
  });
  const isBehind = draft.isBehind(object);
  useEffect(() => {
    if (isBehind && !draft.isChanged) draft.begin(object);
  }, [isBehind, object, draft]);
  const isChanged = draft.isChanged;
  return (
    <div class="editor">
      <div class="bar">
        <button
          type="button"
          class="primary"
          disabled={!isChanged || draft.isBusy.value}
          onClick={() => void draft.look()}
        >
          Review
        </button>
        <button type="button" disabled={!isChanged} onClick={() => draft.begin(object)}>
          Discard
        </button>
        <span class="quiet" role="status">
          {isChanged ? 'changed' : 'as it is'}
        </span>
        {isChanged && isBehind && (
          <span class="behind">
            It was changed meanwhile.{' '}
            <button type="button" onClick={() => void draft.tellConflict()}>
              See both
            </button>
          </span>
        )}
      </div>
      {draft.problem.value && (
        <>
          <Notice title="The server would not take this" error={draft.problem.value} />
          <AdmissionStory draft={draft} />
        </>
      )}
      {draft.conflict.value && <ConflictStory draft={draft} conflict={draft.conflict.value} />}
      <div class="code" ref={place} />
      {draft.review.value && <ReviewDialog draft={draft} review={draft.review.value} />}
      <CommandLine line={`platformctl edit ${commandTarget(live)}`} />
    </div>
  );
}

/** Who owns what stands on each line: the field that begins there, or the nearest one around it that somebody owns. */
function ownersByLine(text: YamlText, object: JsonObject): ReadonlyMap<number, LineOwner> {
  const owners = ownersIn(object);
  const found = new Map<number, LineOwner>();
  for (const [line, path] of text.fieldsByLine()) {
    const held = owners.get(pathKey(path));
    if (held) found.set(line, shown(held));
  }
  return found;
}

const shown = (held: readonly Owner[]): LineOwner => ({
  text: held.map(({ manager }) => manager).join(', '),
  title: held
    .map(
      ({ manager, operation, subresource, time }) =>
        `${manager}: ${operation}${subresource === '' ? '' : ` of ${subresource}`}, ${ageOf(time)} ago`,
    )
    .join('\n'),
  isApplied: held.some(({ operation }) => operation === 'Apply'),
});
