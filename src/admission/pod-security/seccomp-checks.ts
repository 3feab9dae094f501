import { type Check, containersNamed, containersOf, namesWhere, plural, quoted, setters, sorted } from './check.ts';

const REASON = 'seccompProfile';

/** Before 1.19 profiles were annotations. */
export const annotatedSeccomp: Check = (pod, { annotations: { seccompPod, seccompContainerPrefix } }) => {
  const isAllowed = (value: string): boolean =>
    value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
  const keys = [seccompPod, ...containersOf(pod).map(({ name }) => `${seccompContainerPrefix}${name}`)];
  const wrong = keys.flatMap((key) => {
    const value = Object.hasOwn(pod.annotations, key) ? pod.annotations[key] : undefined;
    return value === undefined || isAllowed(value) ? [] : [`${key}=${JSON.stringify(value)}`];
  });
  if (wrong.length === 0) return undefined;
  const detail = `forbidden ${plural(wrong.length, 'annotation', 'annotations')} ${sorted(wrong).join(', ')}`;
  return { reason: REASON, detail };
};

const isConfined = (type: string | undefined): boolean => type === 'RuntimeDefault' || type === 'Localhost';

export const confinedSeccomp: Check = (pod) => {
  const typeOf = (context: { seccompProfile?: { type?: string } | null } | null | undefined): string | undefined =>
    context?.seccompProfile?.type;
  const isLoose = (type: string | undefined): boolean => type !== undefined && !isConfined(type);
  const own = typeOf(pod.spec.securityContext);
  const names = namesWhere(pod, ({ securityContext }) => isLoose(typeOf(securityContext)));
  if (!isLoose(own) && names.length === 0) return undefined;
  const types = [own, ...containersOf(pod).map(({ securityContext }) => typeOf(securityContext))];
  const values = sorted(types.flatMap((type) => (type !== undefined && isLoose(type) ? [type] : [])));
  const who = setters(isLoose(own), names);
  return { reason: REASON, detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(values)}` };
};

/** Nothing may be left to what the node does by itself. */
export const demandedSeccomp: Check = (pod, vocabulary) => {
  const loose = confinedSeccomp(pod, vocabulary);
  if (loose) return loose;
  if (isConfined(pod.spec.securityContext?.seccompProfile?.type)) return undefined;
  const names = namesWhere(pod, ({ securityContext }) => !securityContext?.seccompProfile);
  if (names.length === 0) return undefined;
  const wanted = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason: REASON, detail: `pod or ${containersNamed(names)} ${wanted}` };
};
