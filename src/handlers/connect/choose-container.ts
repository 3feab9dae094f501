import { badRequest } from '../../api/errors.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';

interface Named {
  readonly name: string;
}

const listed = (containers: readonly Named[]): string => `[${containers.map(({ name }) => name).join(' ')}]`;

/** The container of a pod that is meant: the one that is named, or the only one. Throws 400. */
export function chooseContainer({ metadata, spec }: Pod, wanted: string): string {
  const containers = spec.containers ?? [];
  const initContainers = spec.initContainers ?? [];
  if (wanted !== '') {
    const all: readonly Named[] = [...containers, ...initContainers, ...(spec.ephemeralContainers ?? [])];
    if (all.some(({ name }) => name === wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
  }
  const [only, another] = containers;
  if (only && !another) return only.name;
  const others = initContainers.length > 0 ? ` or one of the init containers: ${listed(initContainers)}` : '';
  const choice = `choose one of: ${listed(containers)}${others}`;
  throw badRequest(`a container name must be specified for pod ${metadata.name}, ${choice}`);
}
