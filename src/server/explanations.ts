import { accessExplanation } from '../explain/access/access-explanation.ts';
import { DenialLog } from '../explain/access/denial-log.ts';
import { denialResource } from '../explain/access/denial-resource.ts';
import { noteDenials } from '../explain/access/note-denials.ts';
import { subjectRulesReview } from '../explain/access/subject-rules.ts';
import { whoCanReview } from '../explain/access/who-can.ts';
import { admissionExplanations, explainAdmission } from '../explain/admission/explain-admission.ts';
import { deletionReview } from '../explain/deletion/deletion-review.ts';
import { type Explanations, explanationsOf } from '../explain/explainer.ts';
import { type FlowControl, flowReview } from '../explain/flow/flow-review.ts';
import type { AttributionSource } from '../explain/history/attribution-source.ts';
import { objectDiff } from '../explain/history/object-diff.ts';
import { objectHistory } from '../explain/history/object-history.ts';
import { objectRestore } from '../explain/history/object-restore.ts';
import { applyPreview } from '../explain/ownership/apply-preview.ts';
import { ownershipReview } from '../explain/ownership/ownership-review.ts';
import { RememberedRequests } from '../explain/requests/remembered-requests.ts';
import type { WriteActivityLog } from '../explain/writes/write-activity.ts';
import { writeActivityResource } from '../explain/writes/write-activity-resource.ts';
import type { Objects } from '../registry/objects.ts';
import type { CurrentCredentials } from './current-credentials.ts';
import type { Plan } from './plan.ts';
import { planeFiguresFor } from './plane-figures.ts';

export interface ExplanationSources {
  readonly credentials: CurrentCredentials;
  /** Who made the versions that are remembered. */
  readonly attributions: AttributionSource;
  readonly flow: FlowControl;
  readonly objects: Objects;
  readonly writes: WriteActivityLog;
}

/**
 * All that the server explains, side by side. Where the group is switched off nothing is remembered, and a write that asks to
 * be explained is refused: it must not be taken for one that is meant.
 */
export function explanationsFor(plan: Plan, sources: ExplanationSources): Explanations {
  const { credentials, objects, attributions, writes, flow } = sources;
  const { settings, vocabulary, runtime, catalogue, authorization } = plan;
  const { authorizer, rbac } = authorization;
  const group = vocabulary.groups.explain;
  const admission = explainAdmission(authorizer, group);
  if (!catalogue.hasGroup(group)) return explanationsOf([{ explainAdmission: admission }]);
  const figures = planeFiguresFor(plan, credentials);
  const denials = new DenialLog(runtime);
  const deciding = { vocabulary, runtime, authorizer, rbac };
  const requests = new RememberedRequests({ runtime, group, slowMs: settings.slowRequestThreshold });
  const asked = { group, authorizer, attributions };
  return explanationsOf([
    {
      actions: [
        subjectRulesReview(deciding, group),
        whoCanReview(authorizer, runtime, group),
        accessExplanation(deciding, group),
      ],
      virtual: [denialResource(denials, deciding, group)],
      observed: (observer) => noteDenials(observer, denials, authorizer),
    },
    { actions: [objectHistory(asked), objectDiff(asked), objectRestore(asked)] },
    { actions: [ownershipReview(asked), applyPreview(asked)] },
    { actions: [deletionReview(asked)] },
    { virtual: [figures], close: () => figures.close() },
    { virtual: [requests], observed: (observer) => requests.observed(observer) },
    { actions: [flowReview(flow, group)] },
    { virtual: [writeActivityResource(writes, { objects, catalogue, attributions, runtime }, group)] },
    { actions: [admissionExplanations(group)], explainAdmission: admission },
  ]);
}
