import { certificateApproval } from './certificates/certificate-approval.ts';
import { certificateCleaner } from './certificates/certificate-cleaner.ts';
import { certificateSigning } from './certificates/certificate-signing.ts';
import { claimProtection } from './claim-protection.ts';
import { clusterInfoSigner } from './cluster-info-signer.ts';
import { clusterRoleAggregation } from './cluster-role-aggregation.ts';
import { defaultAccount } from './default-account.ts';
import { disruption } from './disruption/disruption.ts';
import { finishedJobs } from './finished-jobs.ts';
import { garbageCollector } from './garbage/garbage-collector.ts';
import type { Loop } from './loop.ts';
import { LoopChoice } from './loop-choice.ts';
import type { LoopMaterials } from './loop-materials.ts';
import { namespaceDeletion } from './namespace/namespace-deletion.ts';
import { podGarbage } from './pod-garbage.ts';
import { rootCaPublisher } from './root-ca-publisher.ts';
import { tokenCleaner } from './token-cleaner.ts';
import { tokenSecrets } from './token-secrets.ts';
import { volumeProtection } from './volume-protection.ts';

/** A control loop that the setting `controllers` can choose. */
export interface LoopRow {
  readonly name: string;
  /** Some are on only where machines join with tokens. */
  readonly byDefault: 'always' | 'with bootstrap tokens';
  make(materials: LoopMaterials): Loop;
}

const always = (loop: Loop): LoopRow => ({ name: loop.name, byDefault: 'always', make: () => loop });
const withTokens = (loop: Loop): LoopRow => ({ ...always(loop), byDefault: 'with bootstrap tokens' });
const madeOf = (name: string, make: LoopRow['make']): LoopRow => ({ name, byDefault: 'always', make });

/** Every control loop that a process can run, in the order in which they begin. */
export const LOOPS: readonly LoopRow[] = [
  always(namespaceDeletion),
  always(garbageCollector),
  always(defaultAccount),
  madeOf('root-ca-cert-publisher', rootCaPublisher),
  madeOf('serviceaccount-token', tokenSecrets),
  always(clusterRoleAggregation),
  always(claimProtection),
  always(volumeProtection),
  always(certificateApproval),
  madeOf('csrsigning', ({ signers }) => certificateSigning(signers)),
  always(certificateCleaner),
  always(finishedJobs),
  madeOf('podgc', podGarbage),
  always(disruption),
  withTokens(tokenCleaner),
  withTokens(clusterInfoSigner),
];

/** Loops that every server has to run by itself: they share what it has in memory. They are on by default too. */
export const SERVER_LOOPS: readonly string[] = ['resourcequota'];

/** What the setting `controllers` says. Throws an Error of one line about a name that no loop has. */
export const readLoopChoice = (controllers: readonly string[]): LoopChoice =>
  new LoopChoice(controllers, [...LOOPS.map(({ name }) => name), ...SERVER_LOOPS]);
