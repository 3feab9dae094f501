import type { Action } from '../handlers/actions/action.ts';
import type { VirtualResource } from '../handlers/actions/virtual-resource.ts';
import type { ExplainWrite } from '../handlers/service.ts';
import type { Observer } from '../request/pipeline.ts';

/** What explains one side of the server. */
export interface Explainer {
  /** Questions that can be posted. */
  readonly actions?: readonly Action[];
  /** What can be looked up. */
  readonly virtual?: readonly VirtualResource[];
  /** Where it has to see requests: an observer that sees them, and hands all that it is told to `observer`. */
  observed?(observer: Observer): Observer;
  /** Answers writes that ask how admission sees them. */
  readonly explainAdmission?: ExplainWrite;
  close?(): void;
}

/** All of them together. */
export interface Explanations extends Required<Omit<Explainer, 'explainAdmission'>> {
  readonly explainAdmission: ExplainWrite | undefined;
}

export const explanationsOf = (explainers: readonly Explainer[]): Explanations => ({
  actions: explainers.flatMap(({ actions = [] }) => actions),
  virtual: explainers.flatMap(({ virtual = [] }) => virtual),
  observed: (observer) => explainers.reduce((outer, explainer) => explainer.observed?.(outer) ?? outer, observer),
  explainAdmission: explainers.find(({ explainAdmission }) => explainAdmission)?.explainAdmission,
  close() {
    for (const explainer of explainers) explainer.close?.();
  },
});
