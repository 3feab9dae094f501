import { type Runtime, systemRuntime } from '../runtime/runtime.ts';

/**
 * Time and chance of a program that waits for what a client does: the process goes on while a pause before another
 * attempt is under way, which a server's timers do not see to.
 */
export const programRuntime: Runtime = {
  ...systemRuntime,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return { cancel: () => clearTimeout(timer) };
  },
};
