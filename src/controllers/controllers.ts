import { startClaimProtection } from './claim-protection.ts';
import { startClusterInfoSigner } from './cluster-info-signer.ts';
import { startClusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { Controller, ControllerParts, StartController } from './controller.ts';
import { startNamespaceContent } from './namespace-content.ts';
import { startNamespaceDeletion } from './namespace-deletion.ts';
import { startTokenCleaner } from './token-cleaner.ts';
import { startTokenSecrets } from './token-secrets.ts';
import { startVolumeProtection } from './volume-protection.ts';

const LOOPS: readonly StartController[] = [
  startNamespaceDeletion,
  startNamespaceContent,
  startClusterRoleAggregation,
  startTokenSecrets,
  startClaimProtection,
  startVolumeProtection,
];

/** Only where machines join with tokens. */
const BOOTSTRAP_LOOPS: readonly StartController[] = [startTokenCleaner, startClusterInfoSigner];

/** Starts every control loop, and `more`; closing ends them all and waits for what they are at. */
export function startControllers(parts: ControllerParts, more: readonly StartController[] = []): Controller {
  const loops = [...LOOPS, ...(parts.bootstrapTokens ? BOOTSTRAP_LOOPS : []), ...more];
  const running = loops.map((start) => start(parts));
  return {
    async close() {
      await Promise.all(running.map((controller) => controller.close()));
    },
  };
}
