import { claimProtection } from './claim-protection.ts';
import { startClusterInfoSigner } from './cluster-info-signer.ts';
import { startClusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { Controller, ControllerParts, StartController } from './controller.ts';
import { startDefinitionCleanup } from './definition-cleanup.ts';
import { startDefinitionNames } from './definition-names.ts';
import { Leadership } from './leadership.ts';
import type { Loop } from './loop.ts';
import { startNamespaceContent } from './namespace-content.ts';
import { startNamespaceDeletion } from './namespace-deletion.ts';
import { runLoop } from './running-loop.ts';
import { storedPlane } from './stored-plane.ts';
import { tokenCleaner } from './token-cleaner.ts';
import { startTokenSecrets } from './token-secrets.ts';
import { volumeProtection } from './volume-protection.ts';

/** Has a loop run inside of a server. */
function inServer(loop: Loop): StartController {
  return (parts) => runLoop(loop, { ...parts, plane: storedPlane(parts, loop.account) });
}

const LOOPS: readonly StartController[] = [
  startDefinitionNames,
  startDefinitionCleanup,
  startNamespaceDeletion,
  startNamespaceContent,
  startClusterRoleAggregation,
  startTokenSecrets,
  inServer(claimProtection),
  inServer(volumeProtection),
];

/** Only where machines join with tokens. */
const BOOTSTRAP_LOOPS: readonly StartController[] = [inServer(tokenCleaner), startClusterInfoSigner];

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
