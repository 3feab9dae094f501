import { startApiServiceAvailability } from './api-service-availability.ts';
import { startApiServiceRegistration } from './api-service-registration.ts';
import type { Controller, ControllerParts, StartController } from './controller.ts';
import { startDefinitionCleanup } from './definition-cleanup.ts';
import { startDefinitionNames } from './definition-names.ts';
import { startEventExpiry } from './event-expiry.ts';
import { garbageCollector } from './garbage/garbage-collector.ts';
import type { Loop } from './loop.ts';
import type { LoopChoice } from './loop-choice.ts';
import { LOOPS, type LoopRow } from './loop-table.ts';
import { startPolicyTypeChecking } from './policy-type-checking.ts';
import { runLoop } from './running-loop.ts';
import { leadAmongServers } from './stored-lease.ts';
import { storedPlane } from './stored-plane.ts';
import { startUnservedContent } from './unserved-content.ts';

/** Has a loop run inside of a server. */
function inServer(loop: Loop): StartController {
  return (parts) => runLoop(loop, { ...parts, plane: storedPlane(parts, loop.account) });
}

/** The loops of the server itself, which nobody else could run: they always run. */
const OWN_LOOPS: readonly StartController[] = [
  startDefinitionNames,
  startDefinitionCleanup,
  startApiServiceRegistration,
  startApiServiceAvailability,
  startUnservedContent,
  startEventExpiry,
];

/**
 * Starts the control loops that were chosen, of several servers over one store on one of them, and `more`, on each;
 * closing ends them all and waits for what they are at.
 */
export function startControllers(
  parts: ControllerParts,
  choice: LoopChoice,
  more: readonly StartController[] = [],
): Controller {
  const { bootstrapTokens, collectsGarbage } = parts;
  const chosen = (when: LoopRow['byDefault']): StartController[] =>
    LOOPS.filter(({ byDefault }) => byDefault === when)
      .filter(({ name }) => choice.includes(name, when === 'always' || bootstrapTokens))
      .filter(({ name }) => collectsGarbage || name !== garbageCollector.name)
      .map(({ make }) => inServer(make(parts)));
  const running = [
    ...more.map((start) => start(parts)),
    ...runOnce(parts, 'server-loops', [...OWN_LOOPS, ...loopsOfFeatures(parts)]),
    ...runOnce(parts, 'control-loops', chosen('always')),
    ...runOnce(parts, 'bootstrap-loops', chosen('with bootstrap tokens')),
  ];
  return {
    async close() {
      await Promise.all(running.map((controller) => controller.close()));
    },
  };
}

/** Loops about kinds that are there only while a feature is on. */
const loopsOfFeatures = ({ catalogue, vocabulary }: ControllerParts): readonly StartController[] =>
  catalogue.kind({ group: vocabulary.groups.admissionregistration, plural: 'validatingadmissionpolicies' })
    ? [startPolicyTypeChecking]
    : [];

/** Loops of one name run on one server, among those that run any. */
function runOnce(parts: ControllerParts, name: string, loops: readonly StartController[]): Controller[] {
  if (!parts.objects.isShared) return loops.map((start) => start(parts));
  if (loops.length === 0) return [];
  return [leadAmongServers(parts, { name, identity: parts.runtime.uuid() }, loops)];
}
