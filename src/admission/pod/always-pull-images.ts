import { Pod } from '../../kinds/core/pod/pod.ts';
import { containersOf } from '../../kinds/core/pod/pod-containers.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { type MutatingWrite, onKind, type WriteRequest } from '../rule.ts';

/** Has every image pulled anew, so that only pods with the credentials for it can use an image that is already on a node. */
export const alwaysPullImages = (): AdmissionPlugin => ({
  rules: [
    onKind(Pod).mutate({ write: pullAlways }),
    // Those who came after may have changed it back.
    onKind(Pod).validate({ write: demandPulling }),
  ],
});

function pullAlways(request: MutatingWrite<Pod>): void {
  if (!bringsImages(request)) return;
  const { containers, initContainers = [], ephemeralContainers = [] } = request.object.spec;
  for (const container of [...(containers ?? []), ...initContainers, ...ephemeralContainers]) {
    container.imagePullPolicy = 'Always';
  }
}

function demandPulling(request: WriteRequest<Pod>): void {
  if (!bringsImages(request)) return;
  for (const { path, container } of containersOf(request.object.spec)) {
    const { imagePullPolicy } = container;
    if (imagePullPolicy === 'Always') continue;
    const why = `Unsupported value: "${imagePullPolicy ?? ''}": supported values: "Always"`;
    throw refusal(request, `${path}.imagePullPolicy: ${why}`);
  }
}

/** A pod that was there before keeps its ways as long as it keeps its images. */
function bringsImages({ object, oldObject }: WriteRequest<Pod>): boolean {
  if (!oldObject) return true;
  const known = new Set(imagesOf(oldObject));
  return imagesOf(object).some((image) => !known.has(image));
}

const imagesOf = ({ spec }: Pod): string[] => [...containersOf(spec)].map(({ container }) => container.image ?? '');
