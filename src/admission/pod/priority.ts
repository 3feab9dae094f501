import { Pod } from '../../kinds/core/pod/pod.ts';
import { PriorityClass } from '../../kinds/scheduling/priority-class.ts';
import type { Objects } from '../../registry/objects.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { type MutatingCreate, type MutatingUpdate, onKind, type WriteRequest } from '../rule.ts';

type Priority = Pick<PriorityClass, 'value' | 'preemptionPolicy'>;

const USUAL_POLICY = 'PreemptLowerPriority';
const NO_CLASS: Priority = { value: 0, preemptionPolicy: USUAL_POLICY };

/**
 * Fills in the priority that the class of a pod stands for, and lets one class at most hold for pods that name none.
 * `group`: that of priority classes.
 */
export function priority(objects: Objects, group: string): AdmissionPlugin {
  const resource = { group, plural: 'priorityclasses' };
  const classes: Classes = {
    named: (name) => objects.get<PriorityClass>(resource, '', name),
    defaults: () => objects.list<PriorityClass>(resource).filter(({ globalDefault }) => globalDefault),
  };
  const check = (request: WriteRequest<PriorityClass>): void => demandOneDefault(request, classes);
  return {
    rules: [
      onKind(Pod).mutate({ create: (request) => fillIn(request, classes), update: keepComputed }),
      onKind(PriorityClass).validate({ write: check }),
    ],
  };
}

/** The priority classes there are. */
interface Classes {
  named(name: string): PriorityClass | undefined;
  /** Those that hold for pods that name none. */
  defaults(): PriorityClass[];
}

function fillIn(request: MutatingCreate<Pod>, classes: Classes): void {
  const { spec } = request.object;
  const { value, preemptionPolicy } = classOf(request, classes);
  const policy = preemptionPolicy ?? USUAL_POLICY;
  if (spec.priority !== undefined && spec.priority !== null && spec.priority !== value) {
    throw refusal(
      request,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  if (spec.preemptionPolicy && spec.preemptionPolicy !== policy) {
    throw refusal(
      request,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  spec.preemptionPolicy = policy;
}

/** The class a pod names; for pods that name none, the lowest of those that hold for all, which the pod then names. */
function classOf(request: MutatingCreate<Pod>, classes: Classes): Priority {
  const { spec } = request.object;
  const { priorityClassName } = spec;
  if (priorityClassName) {
    const named = classes.named(priorityClassName);
    if (!named) throw refusal(request, `no PriorityClass with name ${priorityClassName} was found`);
    return named;
  }
  const [lowest] = classes.defaults().sort((a, b) => a.value - b.value);
  if (!lowest) return NO_CLASS;
  if (lowest.metadata.name) spec.priorityClassName = lowest.metadata.name;
  return lowest;
}

/** What was computed when the pod was made is kept also by clients that do not know of it. */
function keepComputed({ object: { spec }, oldObject: { spec: old } }: MutatingUpdate<Pod>): void {
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy) spec.preemptionPolicy = old.preemptionPolicy;
}

function demandOneDefault(request: WriteRequest<PriorityClass>, classes: Classes): void {
  const { metadata, globalDefault } = request.object;
  if (!globalDefault) return;
  const other = classes.defaults().find((one) => one.metadata.name !== metadata.name);
  if (!other) return;
  throw refusal(
    request,
    `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
  );
}
