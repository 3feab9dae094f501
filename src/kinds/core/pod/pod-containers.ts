import type { Container } from './container.ts';
import type { EphemeralContainer } from './ephemeral-container.ts';
import type { PodSpec } from './pod-spec.ts';

/** Every container of a pod and where it stands: those that run first, those that stay, those that join later. */
export function* containersOf(
  spec: PodSpec,
): Generator<{ readonly path: string; readonly container: Container | EphemeralContainer }> {
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const [at, container] of (spec[field] ?? []).entries()) yield { path: `spec.${field}[${at}]`, container };
  }
}
