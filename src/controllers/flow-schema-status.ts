import { SERVER_USER } from '../api/user.ts';
import { WorkQueue } from '../client/controlling/work-queue.ts';
import { flowType, LEVELS, SCHEMAS } from '../flow/bootstrap/upkeep.ts';
import type { FlowSchema, FlowSchemaCondition } from '../kinds/flowcontrol/v1beta2/flow-schema.ts';
import { formatTime } from '../schema/time.ts';
import type { Controller, ControllerParts } from './controller.ts';

const NAME = 'flow-schema-status-controller';
const DANGLING = 'Dangling';
const OPTIONS = { user: SERVER_USER, fieldManager: 'api-priority-and-fairness-config-consumer-v1' };

/** Says of every flow schema whether the priority level that it leads to exists. */
export function startFlowSchemaStatus(parts: ControllerParts): Controller {
  const { informer, runtime, vocabulary } = parts;
  const group = vocabulary.groups.flowcontrol;
  /** By schema, the level that it leads to. */
  const levels = new Map<string, string>();
  const queue = new WorkQueue({
    runtime,
    meter: parts.queues.of(NAME),
    handle: (name) => tellOf(parts, name),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  const lookAgain = (level = ''): void => {
    for (const [schema, wanted] of levels) if (wanted === level) queue.add(schema);
  };
  const subscriptions = [
    informer.follow(
      { group, plural: SCHEMAS },
      {
        onSet({ metadata: { name = '' }, spec }: FlowSchema) {
          levels.set(name, spec.priorityLevelConfiguration.name);
          queue.add(name);
        },
        onRemove: ({ metadata }) => levels.delete(metadata.name ?? ''),
      },
    ),
    informer.follow(
      { group, plural: LEVELS },
      { onSet: ({ metadata }) => lookAgain(metadata.name), onRemove: ({ metadata }) => lookAgain(metadata.name) },
    ),
  ];
  return {
    close() {
      for (const subscription of subscriptions) subscription.close();
      return queue.close();
    },
  };
}

async function tellOf(parts: ControllerParts, name: string): Promise<void> {
  const { objects, registry, catalogue, runtime, vocabulary } = parts;
  const type = flowType(catalogue, vocabulary, SCHEMAS);
  const schema = objects.get<FlowSchema>(type, '', name);
  if (!schema) return;
  const level = schema.spec.priorityLevelConfiguration.name;
  const exists = objects.has(flowType(catalogue, vocabulary, LEVELS), '', level);
  const wanted = conditionOf(level, exists);
  const before = schema.status.conditions?.find(({ type }) => type === DANGLING);
  if (before?.status === wanted.status && before?.message === wanted.message) return;
  const turned = before?.status === wanted.status ? before?.lastTransitionTime : undefined;
  const condition = { ...wanted, lastTransitionTime: turned ?? formatTime(runtime.now()) };
  const change = (current: object | undefined): object | undefined =>
    current && { ...current, status: { conditions: [...othersOf(schema), condition] } };
  await registry.update({ type, namespace: '', name, subresource: 'status' }, change, OPTIONS);
}

const othersOf = ({ status }: FlowSchema): FlowSchemaCondition[] =>
  (status.conditions ?? []).filter(({ type }) => type !== DANGLING);

const conditionOf = (level: string, exists: boolean) =>
  exists
    ? { type: DANGLING, status: 'False', reason: 'Found', message: `The priority level "${level}" exists.` }
    : { type: DANGLING, status: 'True', reason: 'NotFound', message: `There is no priority level "${level}".` };
