import type { Pod } from '../kinds/core/pod/pod.ts';
import { containersOf } from '../kinds/core/pod/pod-containers.ts';
import type { AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

/** Has every image pulled anew, so that only pods with the credentials for it can use an image that is already on a node. */
export class AlwaysPullImages implements AdmissionPlugin {
  readonly name = 'AlwaysPullImages';
  readonly operations = ['CREATE', 'UPDATE'] as const;

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && subresource === '';
  }

  mutate(request: MutatingRequest): void {
    if (!bringsImages(request)) return;
    const { containers, initContainers = [], ephemeralContainers = [] } = (request.object as Draft<Pod>).spec;
    for (const container of [...(containers ?? []), ...initContainers, ...ephemeralContainers]) {
      container.imagePullPolicy = 'Always';
    }
  }

  /** Those who came after may have changed it back. */
  validate(request: AdmissionRequest): void {
    if (!bringsImages(request)) return;
    for (const { path, container } of containersOf((request.object as Pod).spec)) {
      const { imagePullPolicy } = container;
      if (imagePullPolicy === 'Always') continue;
      const why = `Unsupported value: "${imagePullPolicy ?? ''}": supported values: "Always"`;
      throw refusal(request, `${path}.imagePullPolicy: ${why}`);
    }
  }
}

/** A pod that was there before keeps its ways as long as it keeps its images. */
function bringsImages({ object, oldObject }: AdmissionRequest): boolean {
  if (!oldObject) return true;
  const known = new Set(imagesOf(oldObject as Pod));
  return imagesOf(object as Pod).some((image) => !known.has(image));
}

const imagesOf = ({ spec }: Pod): string[] => [...containersOf(spec)].map(({ container }) => container.image ?? '');
