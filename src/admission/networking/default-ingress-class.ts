import { Ingress } from '../../kinds/networking/ingress.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { defaultClass } from '../default-class.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onKind } from '../rule.ts';

/** Gives new ingresses that name no class, in the field or in the older annotation, the one that is marked as the default. */
export function defaultIngressClass(objects: Objects, { groups, annotations }: Vocabulary): AdmissionPlugin {
  const classes = {
    group: groups.networking,
    plural: 'ingressclasses',
    kinds: 'IngressClasses',
    marks: [annotations.defaultIngressClass],
  };
  return {
    rules: [
      onKind(Ingress).mutate({
        create(request) {
          const { metadata, spec } = request.object;
          const namesOne = Object.hasOwn(metadata.annotations ?? {}, annotations.ingressClass);
          if (namesOne || (spec.ingressClassName ?? undefined) !== undefined) return;
          const name = defaultClass(request, objects, classes);
          if (name) spec.ingressClassName = name;
        },
      }),
    ],
  };
}
