import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { JsonObject } from '../api/json.ts';
import { isAborted, messageOf } from '../api/request.ts';
import { linesFrom } from '../api/watching.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { ContainerChoice, containersOf } from './containers.tsx';
import { commandTarget } from './explained.ts';
import type { LiveObject } from './live-object.ts';

/** Older lines go. */
const MOST_LINES = 5_000;
const LAST = 1_000;

/** What a container writes, as it writes it. */
export function Logs({ live, object }: { live: LiveObject; object: JsonObject }) {
  const container = useSignal(containersOf(object)[0] ?? '');
  const isPrevious = useSignal(false);
  const lines = useSignal<readonly string[]>([]);
  const problem = useSignal('');
  const place = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const asked = new AbortController();
    lines.value = [];
    problem.value = '';
    const query = new URLSearchParams({
      container: container.value,
      tailLines: String(LAST),
      ...(isPrevious.value ? { previous: 'true' } : { follow: 'true' }),
    });
    const pending: string[] = [];
    let frame = 0;
    const show = (): void => {
      frame = 0;
      lines.value = [...lines.value, ...pending.splice(0)].slice(-MOST_LINES);
    };
    const read = async (): Promise<void> => {
      for await (const line of linesFrom(`${live.path}/log?${query}`, '*/*', asked.signal)) {
        pending.push(line);
        frame ||= requestAnimationFrame(show);
      }
    };
    read().catch((error: unknown) => {
      if (!isAborted(error)) problem.value = messageOf(error);
    });
    return () => {
      asked.abort();
      cancelAnimationFrame(frame);
    };
  }, [container.value, isPrevious.value, live, lines, problem]);
  useLayoutEffect(() => {
    const element = place.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  });
  return (
    <div class="logs">
      <div class="bar">
        <ContainerChoice pod={object} chosen={container} />
        <label class="check">
          <input
            type="checkbox"
            checked={isPrevious.value}
            onChange={(event) => {
              isPrevious.value = event.currentTarget.checked;
            }}
          />
          the one before
        </label>
        <span class="quiet">{lines.value.length} lines</span>
      </div>
      {problem.value !== '' && (
        <p class="problem padded" role="alert">
          {problem.value}
        </p>
      )}
      <pre
        ref={place}
        class="screen"
        tabIndex={0}
        role="log"
        aria-label="Log"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight > scrollHeight - 40;
        }}
      >
        {lines.value.join('\n')}
      </pre>
      <CommandLine
        line={`platformctl logs ${commandTarget(live).replace(/^pods /, '')} --container=${container.value} ${isPrevious.value ? '--previous' : '--follow'}`}
      />
    </div>
  );
}
