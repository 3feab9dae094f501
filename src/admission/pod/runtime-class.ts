import type { Toleration } from '../../kinds/core/node/taint.ts';
import { Pod } from '../../kinds/core/pod/pod.ts';
import type { RuntimeClass } from '../../kinds/node/runtime-class.ts';
import type { Objects } from '../../registry/objects.ts';
import { draftOf } from '../../schema/draft.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { type CreateRequest, type MutatingCreate, onKind } from '../rule.ts';
import { tolerationText } from './tolerations.ts';

/**
 * Charges pods for what their runtime costs besides them, and sends them to nodes that have it. `group`: that of runtime
 * classes.
 */
export function runtimeClass(objects: Objects, group: string): AdmissionPlugin {
  const classes = { group, plural: 'runtimeclasses' };
  const classOf = (request: CreateRequest<Pod>): RuntimeClass | undefined => {
    const { runtimeClassName } = request.object.spec;
    if (!runtimeClassName) return undefined;
    const found = objects.get<RuntimeClass>(classes, '', runtimeClassName);
    if (!found) throw refusal(request, `pod rejected: RuntimeClass "${runtimeClassName}" not found`);
    return found;
  };
  return {
    rules: [
      onKind(Pod).mutate({ create: (request) => fillIn(request, classOf(request)) }),
      onKind(Pod).validate({ create: (request) => demandOverhead(request, classOf(request)) }),
    ],
  };
}

function fillIn(request: MutatingCreate<Pod>, { overhead, scheduling }: Partial<RuntimeClass> = {}): void {
  const { spec } = request.object;
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

function demandOverhead(request: CreateRequest<Pod>, found: RuntimeClass | undefined): void {
  const fixed = found?.overhead?.podFixed ?? {};
  if (sameJson(request.object.spec.overhead ?? {}, fixed)) return;
  throw refusal(
    request,
    Object.keys(fixed).length > 0
      ? "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
      : 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  );
}

function missing(wanted: readonly Toleration[], own: readonly Toleration[]): Toleration[] {
  const present = new Set(own.map(tolerationText));
  return wanted.filter((toleration) => !present.has(tolerationText(toleration)));
}
