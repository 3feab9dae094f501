import type { HorizontalPodAutoscaler } from '../../../kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import { writeIdentity } from './metadata.ts';
import type { Sheet } from './sheet.ts';
import { describer } from './subject.ts';
import { momentText } from './texts.ts';

type Autoscaler = HorizontalPodAutoscaler;
type Metric = NonNullable<Autoscaler['spec']['metrics']>[number];
type Current = NonNullable<Autoscaler['status']['currentMetrics']>[number];
type Rules = NonNullable<NonNullable<Autoscaler['spec']['behavior']>['scaleUp']>;

const UNKNOWN = '<unknown>';
const NIL = '<nil>';

export const horizontalPodAutoscaler = describer<Autoscaler>((sheet, { object, vocabulary }) => {
  const { metadata, spec, status } = object;
  writeIdentity(sheet, metadata, vocabulary);
  sheet.field('CreationTimestamp', momentText(metadata.creationTimestamp));
  sheet.field('Reference', `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`);
  sheet.field('Metrics', '( current / target )');
  for (const [at, metric] of (spec.metrics ?? []).entries()) {
    const [label, ...values] = metricTexts(metric, status.currentMetrics?.[at]);
    sheet.line(1, label, ...values);
  }
  sheet.field('Min replicas', spec.minReplicas ?? '<unset>');
  sheet.field('Max replicas', spec.maxReplicas);
  if (spec.behavior) {
    sheet.line(0, 'Behavior:');
    writeRules(sheet, 'Scale Up', spec.behavior.scaleUp);
    writeRules(sheet, 'Scale Down', spec.behavior.scaleDown);
  }
  const counts = `${status.currentReplicas ?? 0} current / ${status.desiredReplicas} desired`;
  sheet.field(`${spec.scaleTargetRef.kind} pods`, counts);
  const conditions = status.conditions ?? [];
  if (conditions.length === 0) return;
  sheet.line(0, 'Conditions:');
  const rows = conditions.map((one) => [one.type, one.status, one.reason ?? '', one.message ?? '']);
  sheet.table(1, ['Type', 'Status', 'Reason', 'Message'], rows);
});

/** What is measured, and `current / target`. */
function metricTexts(metric: Metric, current: Current | undefined): readonly [label: string, ...values: string[]] {
  const { external, pods, object, resource, containerResource } = metric;
  if (external) {
    const average = external.target.averageValue;
    const now = current?.external?.current;
    const name = JSON.stringify(external.metric.name);
    if (average !== undefined) {
      return [`${name} (target average value):`, `${now?.averageValue ?? UNKNOWN} / ${average}`];
    }
    return [`${name} (target value):`, `${now ? (now.value ?? NIL) : UNKNOWN} / ${external.target.value ?? NIL}`];
  }
  if (pods) {
    const now = current?.pods ? (current.pods.current.averageValue ?? NIL) : UNKNOWN;
    return [`${JSON.stringify(pods.metric.name)} on pods:`, `${now} / ${pods.target.averageValue ?? NIL}`];
  }
  if (object) return objectTexts(object, current);
  if (resource) return usageTexts(`resource ${resource.name} on pods`, resource.target, current?.resource?.current);
  if (containerResource) {
    const { name, container, target } = containerResource;
    const label = `resource ${name} of container "${container}" on pods`;
    return usageTexts(label, target, current?.containerResource?.current);
  }
  return [`<unknown metric type ${JSON.stringify(metric.type)}>`];
}

function objectTexts(
  { metric, describedObject, target }: NonNullable<Metric['object']>,
  current: Current | undefined,
): readonly [string, string] {
  const label = `"${metric.name}" on ${describedObject.kind}/${describedObject.name}`;
  const now = current?.object?.current;
  if (target.type === 'AverageValue') {
    const average = now ? (now.averageValue ?? NIL) : UNKNOWN;
    return [`${label} (target average value):`, `${average} / ${target.averageValue ?? NIL}`];
  }
  return [`${label} (target value):`, `${now ? (now.value ?? NIL) : UNKNOWN} / ${target.value ?? NIL}`];
}

function usageTexts(
  label: string,
  target: NonNullable<Metric['resource']>['target'],
  now: NonNullable<Current['resource']>['current'] | undefined,
): readonly [string, string] {
  if (target.averageValue !== undefined) {
    return [`${label}:`, `${now ? (now.averageValue ?? NIL) : UNKNOWN} / ${target.averageValue}`];
  }
  const used =
    now?.averageUtilization === undefined ? UNKNOWN : `${now.averageUtilization}% (${now.averageValue ?? NIL})`;
  const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  return [`${label}  (as a percentage of request):`, `${used} / ${wanted}`];
}

function writeRules(sheet: Sheet, title: string, rules: Rules | undefined): void {
  if (!rules) return;
  sheet.line(1, `${title}:`);
  const { stabilizationWindowSeconds: window, policies, selectPolicy } = rules;
  if (window !== undefined) sheet.line(2, `Stabilization Window: ${window} seconds`);
  if ((policies ?? []).length === 0) return;
  sheet.line(2, `Select Policy: ${selectPolicy ?? 'Max'}`);
  sheet.line(2, 'Policies:');
  for (const { type, value, periodSeconds } of policies ?? []) {
    sheet.line(3, `- Type: ${type}`, `Value: ${value}`, `Period: ${periodSeconds} seconds`);
  }
}
