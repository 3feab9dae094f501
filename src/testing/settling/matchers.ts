import { sleep, systemRuntime } from '../../runtime/runtime.ts';
import type { PlaneUnderTest } from '../plane-under-test.ts';
import { NotSettled, PlaneExpectation, type SettlingOptions } from './expectation.ts';

/** An object that may be there or not, to be expected something of. */
export interface ExpectedObject {
  readonly name: string;
  find(): Promise<object | undefined>;
}

/** The object of that name among objects of a client: `expect(objectIn(pods, 'a')).toExist()`. */
export const objectIn = (
  objects: { find(name: string): Promise<object | undefined> },
  name: string,
): ExpectedObject => ({ name, find: () => objects.find(name) });

/** How long a matcher waits. */
export interface Waiting {
  /** Milliseconds of real time; 5 seconds unless told. */
  readonly within?: number | undefined;
}

/** What vitest and jest have matchers return. */
export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** What vitest and jest call matchers with. */
interface MatcherState {
  readonly isNot?: boolean;
}

/** For `interface Matchers<T> extends PlaneMatchers<T> {}` in a declaration of the test runner's module. */
export interface PlaneMatchers<R = unknown> {
  toExist(waiting?: Waiting): Promise<R>;
  toBeGone(waiting?: Waiting): Promise<R>;
  toHaveCondition(type: string, status?: string, waiting?: Waiting): Promise<R>;
  toSettle(options?: SettlingOptions): Promise<R>;
}

const WITHIN_MS = 5_000;
const INTERVAL_MS = 20;

interface Condition {
  readonly type?: string;
  readonly status?: string;
}

/** `expect.extend(planeMatchers)`, in vitest and jest. Each waits until it is so, or with `not` until it is not. */
export const planeMatchers = {
  toExist(this: MatcherState, object: ExpectedObject, waiting?: Waiting): Promise<MatcherResult> {
    return until(this, waiting, `${object.name} to exist`, async () => (await object.find()) !== undefined);
  },

  toBeGone(this: MatcherState, object: ExpectedObject, waiting?: Waiting): Promise<MatcherResult> {
    return until(this, waiting, `${object.name} to be gone`, async () => (await object.find()) === undefined);
  },

  toHaveCondition(
    this: MatcherState,
    object: ExpectedObject,
    type: string,
    status = 'True',
    waiting?: Waiting,
  ): Promise<MatcherResult> {
    let last: readonly Condition[] = [];
    const holds = async (): Promise<boolean> => {
      const found = (await object.find()) as { status?: { conditions?: readonly Condition[] } } | undefined;
      last = found?.status?.conditions ?? [];
      return last.some((one) => one.type === type && one.status === status);
    };
    const has = (): string =>
      `; it has ${last.map((one) => `${one.type}=${one.status}`).join(', ') || 'no conditions'}`;
    return until(this, waiting, `${object.name} to have the condition ${type}=${status}`, holds, has);
  },

  async toSettle(plane: PlaneUnderTest, options?: SettlingOptions): Promise<MatcherResult> {
    try {
      await new PlaneExpectation(plane).toSettle(options);
      return { pass: true, message: () => 'expected the plane not to settle, but it did' };
    } catch (error) {
      if (!(error instanceof NotSettled)) throw error;
      return { pass: false, message: () => error.message };
    }
  },
};

async function until(
  { isNot = false }: MatcherState,
  { within = WITHIN_MS }: Waiting = {},
  what: string,
  holds: () => Promise<boolean>,
  detail = (): string => '',
): Promise<MatcherResult> {
  const end = systemRuntime.monotonic() + within;
  for (;;) {
    const pass = await holds();
    if (pass !== isNot || systemRuntime.monotonic() >= end) {
      return { pass, message: () => `expected ${isNot ? 'not ' : ''}${what} within ${within} ms${detail()}` };
    }
    await sleep(systemRuntime, INTERVAL_MS);
  }
}
