import { internalBecause } from '../errors.ts';
import type { Ingress } from '../kinds/networking/ingress.ts';
import type { IngressClass } from '../kinds/networking/ingress-class.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { Lister } from '../registry/lister.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

/** Gives new ingresses that name no class, in the field or in the older annotation, the one that is marked as the default. */
export class DefaultIngressClass implements AdmissionPlugin {
  readonly name = 'DefaultIngressClass';
  readonly operations = ['CREATE'] as const;
  private readonly objects: Lister;
  private readonly vocabulary: Vocabulary;

  constructor(objects: Lister, vocabulary: Vocabulary) {
    this.objects = objects;
    this.vocabulary = vocabulary;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === this.vocabulary.groups.networking && plural === 'ingresses' && subresource === '';
  }

  mutate(request: AdmissionRequest): void {
    const { metadata, spec } = request.object as Ingress;
    const namesOne = Object.hasOwn(metadata.annotations ?? {}, this.vocabulary.annotations.ingressClass);
    if (namesOne || (spec.ingressClassName ?? undefined) !== undefined) return;
    const [first, ...more] = this.defaults();
    if (more.length > 0) {
      const { message } = internalBecause(`${more.length + 1} default IngressClasses were found`);
      throw refusal(request, message);
    }
    if (first?.metadata.name) spec.ingressClassName = first.metadata.name;
  }

  private defaults(): IngressClass[] {
    const { groups, annotations } = this.vocabulary;
    return this.objects
      .list<IngressClass>({ group: groups.networking, plural: 'ingressclasses' })
      .filter(({ metadata }) => metadata.annotations?.[annotations.defaultIngressClass] === 'true');
  }
}
