import type { PodSpec } from '../../kinds/core/pod/pod-spec.ts';
import type { SecurityContext } from '../../kinds/core/pod/security-context.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** What is looked at: a pod, or what a template makes. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** What is not allowed, in short, and where it is. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Looks for one kind of danger. Undefined: there is none. */
export type Check = (pod: CheckedPod, vocabulary: Vocabulary) => Violation | undefined;

/** What checks read of containers of every sort. */
export interface CheckedContainer {
  readonly name: string;
  readonly ports?: readonly { readonly hostPort?: number }[];
  readonly securityContext?: SecurityContext | null;
}

/** Every container of a pod, in the order in which violations name them. */
export const containersOf = ({ spec }: CheckedPod): CheckedContainer[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

/** From 1.25 on, what only Linux has is not asked of pods that say they run on Windows. */
export const isWindows = ({ spec }: CheckedPod): boolean => spec.os?.name === 'windows';

export const unlessWindows =
  (check: Check): Check =>
  (pod, vocabulary) =>
    isWindows(pod) ? undefined : check(pod, vocabulary);

export const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** Each once, in order. */
export const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

/** `container "a"`, or `containers "a", "b"`. */
export const containersNamed = (names: readonly string[]): string =>
  `${plural(names.length, 'container', 'containers')} ${quoted(names)}`;

/** The names of the containers that something is true of. */
export const namesWhere = (pod: CheckedPod, holds: (container: CheckedContainer) => boolean): string[] =>
  containersOf(pod)
    .filter(holds)
    .map(({ name }) => name);

/** Who sets what must not be set: the pod itself, some containers, or both. */
export const setters = (pod: boolean, containers: readonly string[]): string =>
  [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [containersNamed(containers)] : [])].join(' and ');
