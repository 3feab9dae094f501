import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { JsonObject } from '../api/json.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { ContainerChoice, containersOf } from './containers.tsx';
import { commandTarget } from './explained.ts';
import type { LiveObject } from './live-object.ts';
import { Screen } from './screen.ts';
import { TerminalConnection } from './terminal-connection.ts';

const KEYS: Readonly<Record<string, string>> = {
  Enter: '\r',
  Backspace: '\x7f',
  Tab: '\t',
  Escape: '\x1b',
  ArrowUp: '\x1b[A',
  ArrowDown: '\x1b[B',
  ArrowRight: '\x1b[C',
  ArrowLeft: '\x1b[D',
};

/** What a key sends to the other end; undefined: nothing. */
function sentBy({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (metaKey || altKey) return undefined;
  if (ctrlKey) return /^[a-z]$/.test(key) ? String.fromCharCode(key.charCodeAt(0) - 96) : undefined;
  return KEYS[key] ?? (key.length === 1 ? key : undefined);
}

/** A shell in a container of a pod. */
export function Terminal({ live, object }: { live: LiveObject; object: JsonObject }) {
  const container = useSignal(containersOf(object)[0] ?? '');
  const state = useSignal<'idle' | 'opening' | 'open'>('idle');
  const text = useSignal('');
  const problem = useSignal('');
  const connection = useRef<TerminalConnection | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => () => connection.current?.close(), []);
  useLayoutEffect(() => {
    if (place.current) place.current.scrollTop = place.current.scrollHeight;
  });
  const open = (): void => {
    const screen = new Screen();
    const query = new URLSearchParams({
      container: container.value,
      command: 'sh',
      stdin: 'true',
      stdout: 'true',
      tty: 'true',
    });
    text.value = '';
    problem.value = '';
    state.value = 'opening';
    connection.current = new TerminalConnection(`${live.path}/exec?${query}`, {
      opened() {
        state.value = 'open';
        connection.current?.resize(100, 30);
        place.current?.focus();
      },
      wrote(more) {
        screen.write(more);
        text.value = screen.text;
      },
      ended(reason) {
        problem.value =
          reason || (state.value === 'opening' ? 'No node answers for this pod, or you may not do this.' : '');
        state.value = 'idle';
      },
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const sent = sentBy(event);
    // Shift and Tab together leave the terminal.
    if (sent === undefined || (event.key === 'Tab' && event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
    connection.current?.send(sent);
  };
  return (
    <div class="logs">
      <div class="bar">
        <ContainerChoice pod={object} chosen={container} />
        {state.value === 'idle' ? (
          <button type="button" onClick={open}>
            Open a shell
          </button>
        ) : (
          <button type="button" onClick={() => connection.current?.close()}>
            Close
          </button>
        )}
        <span class="quiet">{state.value === 'open' ? 'open; Shift Tab leaves it' : state.value}</span>
      </div>
      {problem.value !== '' && (
        <p class="problem padded" role="alert">
          {problem.value}
        </p>
      )}
      <div
        ref={place}
        class="screen"
        tabIndex={0}
        role="textbox"
        aria-multiline="true"
        aria-label="Terminal"
        onKeyDown={onKeyDown}
        onPaste={(event) => connection.current?.send(event.clipboardData?.getData('text') ?? '')}
      >
        {text.value}
        {state.value === 'open' && <span class="caret" />}
      </div>
      <CommandLine
        line={`platformctl exec ${commandTarget(live).replace(/^pods /, '')} --container=${container.value} --stdin --tty -- sh`}
      />
    </div>
  );
}
