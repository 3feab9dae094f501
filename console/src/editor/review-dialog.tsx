import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../shell/dialog.tsx';
import { AdmissionStory } from './admission-story.tsx';
import { openDiff } from './code-view.ts';
import type { Draft, Review } from './draft.ts';

/** What saving would change, as the server worked it out. */
export function ReviewDialog({ draft, review }: { draft: Draft; review: Review }) {
  const place = useRef<HTMLDivElement>(null);
  const isSame = review.before === review.after;
  useEffect(() => {
    if (!place.current || isSame) return;
    const view = openDiff(place.current, review.before, review.after);
    return () => view.destroy();
  }, [review, isSame]);
  const close = (): void => {
    draft.review.value = undefined;
  };
  return (
    <Dialog title="What saving would change" class="review" close={close}>
      <h2>What saving would change</h2>
      <p class="quiet">Worked out by the server in a dry run, with defaults and what admission makes of it.</p>
      {isSame ? <p class="nothing">Nothing: the object says the same already.</p> : <div class="code" ref={place} />}
      <AdmissionStory draft={draft} />
      <div class="buttons">
        <button type="button" onClick={close}>
          Go on editing
        </button>
        <button type="button" class="primary" disabled={draft.isBusy.value} onClick={() => void draft.save()}>
          Save
        </button>
      </div>
    </Dialog>
  );
}
