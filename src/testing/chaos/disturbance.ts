import type { InterceptedRequest } from '../interception.ts';
import type { Fault } from './faults.ts';

/** What was done to a request: `isDone` says whether the plane has carried it out all the same. */
export interface Disturbance {
  readonly fault: Fault;
  readonly isDone: boolean;
}

const disturbed = new WeakMap<InterceptedRequest, Disturbance>();

export const disturb = (request: InterceptedRequest, disturbance: Disturbance): void =>
  void disturbed.set(request, disturbance);

/** Undefined where the answer is the plane's own. Latency does not count: it changes no answer. */
export const disturbanceOf = (request: InterceptedRequest): Disturbance | undefined => disturbed.get(request);
