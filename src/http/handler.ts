import type { HttpRequest, Reply } from './message.ts';

/** The whole pipeline from the listener's point of view. Never rejects: every failure is a Reply. */
export type Handle = (request: HttpRequest) => Promise<Reply>;
