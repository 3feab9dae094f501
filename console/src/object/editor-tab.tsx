import { useEffect, useState } from 'preact/hooks';
import type { JsonObject } from '../api/json.ts';
import { messageOf } from '../api/request.ts';
import { Notice } from '../parts/notice.tsx';
import type { LiveObject } from './live-object.ts';

type Editor = typeof import('../editor/editor.tsx').Editor;

/** The object as text. What edits text is large, and loaded when somebody comes here. */
export function EditorTab(props: { live: LiveObject; object: JsonObject }) {
  const [loaded, setLoaded] = useState<{ Editor: Editor } | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    import('../editor/editor.tsx').then(setLoaded, (error: unknown) => setProblem(messageOf(error)));
  }, []);
  if (problem !== '') return <Notice title="The editor cannot be loaded">{problem}</Notice>;
  if (!loaded)
    return (
      <p class="waiting" role="status">
        Loading the editor…
      </p>
    );
  return <loaded.Editor {...props} />;
}
