import { type ApiError, tooManyRequests } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { RequestContext } from '../request/context.ts';

/** The right of one request to be worked on. Given back exactly once. */
export interface Seat {
  leave(): void;
}

/** Bounds how much the server does at once. */
export interface RequestLimiter {
  /** Asked before anything of the request but its head is read. Throws 429 when there is no memory for it. */
  check(context: RequestContext, user: UserInfo): void;
  /** Undefined: the request is not counted. Throws or rejects with 429 when there is no room and none will come in time. */
  enter(context: RequestContext, user: UserInfo): Seat | undefined | Promise<Seat | undefined>;
}

const RETRY_AFTER_SECONDS = 1;

export const overloaded = (): ApiError =>
  tooManyRequests('too many requests, please try again later', RETRY_AFTER_SECONDS);
