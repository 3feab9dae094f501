import { formatted, named, positive, required } from '../../../meta/field-rules.ts';
import { dns1123Label, pathSegment } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { isNegative, validateContainerResourceName } from '../../core/resource-validation.ts';
import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricSpec,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from './metric-spec.ts';
import type { CrossVersionObjectReference, MetricIdentifier, MetricTarget } from './metrics.ts';

const segment = (name: string): string | undefined => pathSegment(name);

/** An object by kind and name, both fit for a URL. */
export function validateReference({ kind, name }: CrossVersionObjectReference, path: Path, problems: Problems): void {
  named(problems, path, 'kind', kind, segment);
  named(problems, path, 'name', name, segment);
}

const TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** The first source in this order is the one that is looked at. */
const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

/** A metric says of what type it is, and has the field of that type and no other. */
export function validateMetric(metric: MetricSpec, path: Path, problems: Problems, context: HookContext): void {
  const { type } = metric;
  if (!type) problems.required(path.child('type'), 'must specify a metric source type');
  if (!TYPES.includes(type)) problems.notSupported(path.child('type'), type, TYPES);
  const present = SOURCES.filter((name) => metric[name]);
  const expected = SOURCES.find((name) => name.toLowerCase() === type.toLowerCase());
  validateFirstSource(metric, path, problems, context);
  if (expected && !metric[expected]) {
    problems.required(path.child(expected), 'must populate information for the given metric source');
  }
  if (present.length === 1) return;
  for (const name of present) {
    if (name !== expected) problems.forbidden(path.child(name), 'must populate the given metric source only');
  }
}

function validateFirstSource(metric: MetricSpec, path: Path, problems: Problems, context: HookContext): void {
  const { object, external, pods, resource, containerResource } = metric;
  if (object) validateObject(object, path.child('object'), problems);
  else if (external) validateExternal(external, path.child('external'), problems);
  else if (pods) validatePods(pods, path.child('pods'), problems);
  else if (resource) validateResource(resource, path.child('resource'), problems);
  else if (containerResource) {
    validateContainerResource(containerResource, path.child('containerResource'), problems, context);
  }
}

function validateObject({ describedObject, metric, target }: ObjectMetricSource, path: Path, problems: Problems): void {
  validateReference(describedObject, path.child('describedObject'), problems);
  validateIdentifier(metric, path, problems);
  const targetPath = validateTarget(target, path, problems);
  if (target.value === undefined && target.averageValue === undefined) {
    problems.required(targetPath.child('averageValue'), 'must set either a target value or averageValue');
  }
}

function validateExternal({ metric, target }: ExternalMetricSource, path: Path, problems: Problems): void {
  validateIdentifier(metric, path, problems);
  const targetPath = validateTarget(target, path, problems);
  const { value, averageValue } = target;
  if (value === undefined && averageValue === undefined) {
    const rule = 'must set either a target value for metric or a per-pod target';
    problems.required(targetPath.child('averageValue'), rule);
  }
  if (value !== undefined && averageValue !== undefined) {
    const rule = 'may not set both a target value for metric and a per-pod target';
    problems.forbidden(targetPath.child('value'), rule);
  }
}

function validatePods({ metric, target }: PodsMetricSource, path: Path, problems: Problems): void {
  validateIdentifier(metric, path, problems);
  const targetPath = validateTarget(target, path, problems);
  if (target.averageValue === undefined) {
    problems.required(targetPath.child('averageValue'), 'must specify a positive target averageValue');
  }
}

function validateResource({ name, target }: ResourceMetricSource, path: Path, problems: Problems): void {
  required(problems, path, 'name', name, 'must specify a resource name');
  const targetPath = validateTarget(target, path, problems);
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined && averageValue === undefined) {
    const rule = 'must set either a target raw value or a target utilization';
    problems.required(targetPath.child('averageUtilization'), rule);
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const rule = 'may not set both a target raw value and a target utilization';
    problems.forbidden(targetPath.child('averageValue'), rule);
  }
}

function validateContainerResource(
  source: ContainerResourceMetricSource,
  path: Path,
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  validateResource(source, path, problems);
  if (source.name) validateContainerResourceName(source.name, path.child('name'), problems, vocabulary);
  if (required(problems, path, 'container', source.container, 'must specify a container')) {
    formatted(problems, path, 'container', source.container, dns1123Label);
  }
}

function validateIdentifier({ name }: MetricIdentifier, path: Path, problems: Problems): void {
  const metric = path.child('metric');
  if (required(problems, metric, 'name', name, 'must specify a metric name')) {
    formatted(problems, metric, 'name', name, segment);
  }
}

const TARGET_TYPES = ['Utilization', 'Value', 'AverageValue'];

/** Gives back where the target is. */
function validateTarget(target: MetricTarget, path: Path, problems: Problems): Path {
  const targetPath = path.child('target');
  const { type, value, averageValue, averageUtilization } = target;
  if (!type) problems.required(targetPath.child('type'), 'must specify a metric target type');
  if (!TARGET_TYPES.includes(type)) {
    problems.invalid(targetPath.child('type'), type, 'must be either Utilization, Value, or AverageValue');
  }
  positiveAmount(value, targetPath, 'value', problems);
  positiveAmount(averageValue, targetPath, 'averageValue', problems);
  positive(problems, targetPath, 'averageUtilization', averageUtilization);
  return targetPath;
}

function positiveAmount(amount: string | undefined, path: Path, field: string, problems: Problems): void {
  if (amount === undefined || (amount !== '0' && !isNegative(amount))) return;
  problems.invalid(path.child(field), amount, 'must be positive');
}
