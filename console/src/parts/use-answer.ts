import { useEffect, useState } from 'preact/hooks';
import { isAborted, messageOf } from '../api/request.ts';

export interface Answered<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly isWaiting: boolean;
}

/** What a question is answered, asked anew whenever what it depends on has changed. */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, dependencies: readonly unknown[]): Answered<T> {
  const [state, setState] = useState<Answered<T>>({ value: undefined, error: undefined, isWaiting: true });
  useEffect(() => {
    const asked = new AbortController();
    setState((before) => ({ ...before, isWaiting: true }));
    ask(asked.signal).then(
      (value) => {
        if (!asked.signal.aborted) setState({ value, error: undefined, isWaiting: false });
      },
      (error: unknown) => {
        if (isAborted(error) || asked.signal.aborted) return;
        const shown = error instanceof Error ? error : new Error(messageOf(error));
        setState({ value: undefined, error: shown, isWaiting: false });
      },
    );
    return () => asked.abort();
  }, dependencies as unknown[]);
  return state;
}
