import { nonNegative } from '../../../meta/field-rules.ts';
import { selects } from '../../../meta/label-selector-validation.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { validateReplicatedTemplate } from '../pod/pod-template-validation.ts';
import { NO_MATCH, validateCounts } from './replicas-validation.ts';
import type { ReplicationController } from './replication-controller.ts';

const SPEC = Path.of('spec');
const TEMPLATE = SPEC.child('template');
const STATUS = Path.of('status');

export function validateReplicationController(
  { spec }: ReplicationController,
  problems: Problems,
  context: HookContext,
): void {
  const { replicas = 0, selector = {}, template } = spec;
  nonNegative(problems, SPEC, 'minReadySeconds', spec.minReadySeconds);
  nonNegative(problems, SPEC, 'replicas', replicas);
  if (Object.keys(selector).length === 0) problems.required(SPEC.child('selector'));
  if (!template) {
    problems.required(TEMPLATE);
    return;
  }
  const { labels = {} } = template.metadata;
  if (!selects({ matchLabels: selector }, labels)) {
    problems.invalid(TEMPLATE.child('metadata').child('labels'), labels, NO_MATCH);
  }
  validateReplicatedTemplate(template, 'ReplicationController', replicas, TEMPLATE, problems, context);
}

export function validateReplicationControllerStatusUpdate(
  { status }: ReplicationController,
  _old: ReplicationController,
  problems: Problems,
): void {
  nonNegative(problems, STATUS, 'observedGeneration', status.observedGeneration);
  validateCounts(status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], STATUS, problems);
}
