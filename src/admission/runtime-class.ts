import type { Toleration } from '../kinds/core/node/taint.ts';
import type { Pod } from '../kinds/core/pod/pod.ts';
import type { RuntimeClass as RuntimeClassObject } from '../kinds/node/runtime-class.ts';
import type { AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { type Draft, draftOf } from '../schema/draft.ts';
import { sameJson } from '../schema/same-json.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';
import { tolerationText } from './tolerations.ts';

/** Charges pods for what their runtime costs besides them, and sends them to nodes that have it. */
export class RuntimeClass implements AdmissionPlugin {
  readonly name = 'RuntimeClass';
  readonly operations = ['CREATE'] as const;
  private readonly objects: Objects;
  private readonly classes: { readonly group: string; readonly plural: string };

  /** `group`: that of runtime classes. */
  constructor(objects: Objects, group: string) {
    this.objects = objects;
    this.classes = { group, plural: 'runtimeclasses' };
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && subresource === '';
  }

  mutate(request: MutatingRequest): void {
    const { spec } = request.object as Draft<Pod>;
    const found = this.classOf(request);
    if (!found) return;
    const { overhead, scheduling } = found;
    if (overhead?.podFixed && !spec.overhead) spec.overhead = draftOf(overhead.podFixed);
    if (!scheduling) return;
    const wanted = scheduling.nodeSelector ?? {};
    for (const [key, value] of Object.entries(wanted)) {
      const own = spec.nodeSelector?.[key];
      if (own !== undefined && own !== value) {
        throw refusal(
          request,
          `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
        );
      }
    }
    if (Object.keys(wanted).length > 0) spec.nodeSelector = { ...spec.nodeSelector, ...draftOf(wanted) };
    const more = missing(scheduling.tolerations ?? [], spec.tolerations ?? []);
    if (more.length > 0) spec.tolerations = [...(spec.tolerations ?? []), ...draftOf(more)];
  }

  validate(request: AdmissionRequest): void {
    const { spec } = request.object as Pod;
    const fixed = this.classOf(request)?.overhead?.podFixed ?? {};
    if (sameJson(spec.overhead ?? {}, fixed)) return;
    throw refusal(
      request,
      Object.keys(fixed).length > 0
        ? "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
        : 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    );
  }

  private classOf(request: AdmissionRequest): RuntimeClassObject | undefined {
    const { runtimeClassName } = (request.object as Pod).spec;
    if (!runtimeClassName) return undefined;
    const found = this.objects.get<RuntimeClassObject>(this.classes, '', runtimeClassName);
    if (!found) throw refusal(request, `pod rejected: RuntimeClass "${runtimeClassName}" not found`);
    return found;
  }
}

function missing(wanted: readonly Toleration[], own: readonly Toleration[]): Toleration[] {
  const present = new Set(own.map(tolerationText));
  return wanted.filter((toleration) => !present.has(tolerationText(toleration)));
}
