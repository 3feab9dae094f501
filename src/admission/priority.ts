import type { Pod } from '../kinds/core/pod/pod.ts';
import type { PriorityClass } from '../kinds/scheduling/priority-class.ts';
import type { AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

const NO_CLASS = { value: 0, preemptionPolicy: 'PreemptLowerPriority' };

/** Fills in the priority that the class of a pod stands for, and lets one class at most hold for pods that name none. */
export class Priority implements AdmissionPlugin {
  readonly name = 'Priority';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly objects: Objects;
  private readonly classes: { readonly group: string; readonly plural: string };

  /** `group`: that of priority classes. */
  constructor(objects: Objects, group: string) {
    this.objects = objects;
    this.classes = { group, plural: 'priorityclasses' };
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    if (subresource !== '') return false;
    return (group === '' && plural === 'pods') || (group === this.classes.group && plural === this.classes.plural);
  }

  mutate(request: MutatingRequest): void {
    if (request.type.plural !== 'pods') return;
    const { spec } = request.object as Draft<Pod>;
    if (request.operation === 'UPDATE') {
      // What was computed when the pod was made is kept also by clients that do not know of it.
      const old = (request.oldObject as Pod).spec;
      if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
      if (spec.preemptionPolicy === undefined && old.preemptionPolicy) spec.preemptionPolicy = old.preemptionPolicy;
      return;
    }
    const { value, preemptionPolicy = NO_CLASS.preemptionPolicy } = this.classOf(request, spec);
    if (spec.priority !== undefined && spec.priority !== null && spec.priority !== value) {
      throw refusal(
        request,
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
      );
    }
    if (spec.preemptionPolicy && spec.preemptionPolicy !== preemptionPolicy) {
      throw refusal(
        request,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
      );
    }
    spec.priority = value;
    spec.preemptionPolicy = preemptionPolicy ?? NO_CLASS.preemptionPolicy;
  }

  /** The class a pod names; for pods that name none, the lowest of those that hold for all, which the pod then names. */
  private classOf(
    request: AdmissionRequest,
    spec: Draft<Pod['spec']>,
  ): Pick<PriorityClass, 'value' | 'preemptionPolicy'> {
    const { priorityClassName } = spec;
    if (priorityClassName) {
      const named = this.objects.get<PriorityClass>(this.classes, '', priorityClassName);
      if (!named) throw refusal(request, `no PriorityClass with name ${priorityClassName} was found`);
      return named;
    }
    const [lowest] = this.defaults().sort((a, b) => a.value - b.value);
    if (!lowest) return NO_CLASS;
    if (lowest.metadata.name) spec.priorityClassName = lowest.metadata.name;
    return lowest;
  }

  validate(request: AdmissionRequest): void {
    if (request.type.plural === 'pods') return;
    const { metadata, globalDefault } = request.object as PriorityClass;
    if (!globalDefault) return;
    const other = this.defaults().find((one) => one.metadata.name !== metadata.name);
    if (!other) return;
    throw refusal(
      request,
      `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
    );
  }

  private defaults(): PriorityClass[] {
    return this.objects.list<PriorityClass>(this.classes).filter(({ globalDefault }) => globalDefault);
  }
}
