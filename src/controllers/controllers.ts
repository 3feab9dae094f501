import { startClusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { Controller, ControllerParts, StartController } from './controller.ts';
import { startNamespaceContent } from './namespace-content.ts';
import { startNamespaceDeletion } from './namespace-deletion.ts';

const LOOPS: readonly StartController[] = [startNamespaceDeletion, startNamespaceContent, startClusterRoleAggregation];

/** Starts every control loop; closing ends them all and waits for what they are at. */
export function startControllers(parts: ControllerParts): Controller {
  const running = LOOPS.map((start) => start(parts));
  return {
    async close() {
      await Promise.all(running.map((controller) => controller.close()));
    },
  };
}
