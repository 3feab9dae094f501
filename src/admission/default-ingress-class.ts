import type { Ingress } from '../kinds/networking/ingress.ts';
import type { MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { defaultClass } from './default-class.ts';

/** Gives new ingresses that name no class, in the field or in the older annotation, the one that is marked as the default. */
export class DefaultIngressClass implements AdmissionPlugin {
  readonly name = 'DefaultIngressClass';
  readonly operations = ['CREATE'] as const;
  private readonly objects: Objects;
  private readonly vocabulary: Vocabulary;

  constructor(objects: Objects, vocabulary: Vocabulary) {
    this.objects = objects;
    this.vocabulary = vocabulary;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === this.vocabulary.groups.networking && plural === 'ingresses' && subresource === '';
  }

  mutate(request: MutatingRequest): void {
    const { metadata, spec } = request.object as Draft<Ingress>;
    const namesOne = Object.hasOwn(metadata.annotations ?? {}, this.vocabulary.annotations.ingressClass);
    if (namesOne || (spec.ingressClassName ?? undefined) !== undefined) return;
    const name = defaultClass(request, this.objects, {
      group: this.vocabulary.groups.networking,
      plural: 'ingressclasses',
      kinds: 'IngressClasses',
      marks: [this.vocabulary.annotations.defaultIngressClass],
    });
    if (name) spec.ingressClassName = name;
  }
}
