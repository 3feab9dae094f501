import { ObjectMeta } from '../../meta/object-meta.ts';
import { bool, double, int32, int64, rawExtension, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { FieldChange } from './field-change.ts';

export const AdmissionStep = struct(
  'explain.v1alpha1.AdmissionStep',
  {
    phase: f(1, string().required(), 'Which part of admission it belongs to: Mutating or Validating.'),
    round: f(2, int32().required(), 'How often all of the phase had been asked before: 0 or 1.'),
    type: f(3, string().required(), 'What was asked: a Plugin, or a Webhook or Policy that a plugin asks.'),
    name: f(4, string().required(), 'The plugin, webhook or policy.'),
    within: f(5, string().optional(), 'The configuration of the webhook, or the binding of the policy.'),
    plugin: f(6, string().optional(), 'The plugin that asked the webhook or policy.'),
    verdict: f(
      7,
      string().required(),
      'What came of it: NotConcerned, Allowed, Changed, Violated, Refused, or Failed if the request went on all the same.',
    ),
    message: f(8, string().optional(), 'Why it refused or failed, or what it does not like.'),
    milliseconds: f(9, double().optional(), 'How long it took.'),
    changes: f(10, list(FieldChange), 'What it changed. Values of kinds that hold secrets are not shown.'),
    remainingChanges: f(11, int64().optional(), 'How many more fields it changed than could be told.'),
    warnings: f(12, list(string()), 'Texts for the Warning headers of the answer.'),
    auditAnnotations: f(13, map(string()), 'What it adds to the audit event of the request.'),
  },
  { description: 'Something that admission asked about a request, and its answer.' },
);
export type AdmissionStep = Infer<typeof AdmissionStep>;

export const AdmissionExplanationStatus = struct(
  'explain.v1alpha1.AdmissionExplanationStatus',
  {
    operation: f(1, string().required(), 'What admission was asked about: CREATE, UPDATE or DELETE.'),
    steps: f(2, list(AdmissionStep).required(), 'All that was asked, in its order.'),
    remainingSteps: f(3, int64().optional(), 'How many more there were than could be told.'),
    allowed: f(4, bool().required(), 'Whether the request would have been done.'),
    refusedBy: f(
      5,
      string().optional(),
      'The plugin, webhook or policy that refused; Validation for the server itself.',
    ),
    code: f(6, int32().required(), 'Status code that the answer would have had.'),
    refusal: f(7, rawExtension().optional(), 'The Status that the answer would have been.'),
    object: f(
      8,
      rawExtension().optional(),
      'The object as it would be stored, in its stored version; missing for kinds that hold secrets, and of deletions.',
    ),
  },
  { description: 'What happened to a request on its way through admission.' },
);
export type AdmissionExplanationStatus = Infer<typeof AdmissionExplanationStatus>;

export const AdmissionExplanation = kind(
  'explain.v1alpha1.AdmissionExplanation',
  {
    metadata: f(1, ObjectMeta),
    status: f(2, AdmissionExplanationStatus.required(), 'The explanation.'),
  },
  { description: 'The answer to a write with explain=admission and dryRun=All. Nothing of it is stored.' },
);
export type AdmissionExplanation = Infer<typeof AdmissionExplanation>;
