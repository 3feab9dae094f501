import { startClaimProtection } from './claim-protection.ts';
import { startClusterInfoSigner } from './cluster-info-signer.ts';
import { startClusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { Controller, ControllerParts, StartController } from './controller.ts';
import { startDefinitionCleanup } from './definition-cleanup.ts';
import { startDefinitionNames } from './definition-names.ts';
import { Leadership } from './leadership.ts';
import { startNamespaceContent } from './namespace-content.ts';
import { startNamespaceDeletion } from './namespace-deletion.ts';
import { startTokenCleaner } from './token-cleaner.ts';
import { startTokenSecrets } from './token-secrets.ts';
import { startVolumeProtection } from './volume-protection.ts';

const LOOPS: readonly StartController[] = [
  startDefinitionNames,
  startDefinitionCleanup,
  startNamespaceDeletion,
  startNamespaceContent,
  startClusterRoleAggregation,
  startTokenSecrets,
  startClaimProtection,
  startVolumeProtection,
];

/** Only where machines join with tokens. */
const BOOTSTRAP_LOOPS: readonly StartController[] = [startTokenCleaner, startClusterInfoSigner];

/**
 * Starts every control loop, of several servers over one store on one of them, and `more`, on each; closing ends them all
 * and waits for what they are at.
 */
export function startControllers(parts: ControllerParts, more: readonly StartController[] = []): Controller {
  const running = [
    ...more.map((start) => start(parts)),
    ...runOnce(parts, 'control-loops', LOOPS),
    ...(parts.bootstrapTokens ? runOnce(parts, 'bootstrap-loops', BOOTSTRAP_LOOPS) : []),
  ];
  return {
    async close() {
      await Promise.all(running.map((controller) => controller.close()));
    },
  };
}

/** Loops of one name run on one server. */
function runOnce(parts: ControllerParts, name: string, loops: readonly StartController[]): Controller[] {
  if (!parts.objects.isShared) return loops.map((start) => start(parts));
  return [new Leadership(parts, { name, identity: parts.runtime.uuid() }, loops)];
}
