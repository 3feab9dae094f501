import type { Runtime } from '../../runtime/runtime.ts';
import type { Recorder } from './recorder.ts';

/**
 * Has a stage count how long it takes of each request. What it answers, and when, stays as it was. A request that it
 * throws out at once is not counted: that one is counted where it is refused.
 */
export function timedStage<First, Second, Answer>(
  recorder: Recorder,
  runtime: Runtime,
  name: string,
  ask: (first: First, second: Second) => Answer | Promise<Answer>,
): (first: First, second: Second) => Answer | Promise<Answer> {
  const seconds = recorder.histogram('apiserver_request_filter_duration_seconds', [name]);
  const count = (began: number): void => seconds.observe((runtime.monotonic() - began) / 1000);
  return (first, second) => {
    const began = runtime.monotonic();
    const answer = ask(first, second);
    if (!(answer instanceof Promise)) {
      count(began);
      return answer;
    }
    answer.then(
      () => count(began),
      () => count(began),
    );
    return answer;
  };
}
