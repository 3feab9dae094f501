import type { AnyObject } from '../../../client/plane-client.ts';
import type { CertificateSigningRequest } from '../../../kinds/certificates/certificate-signing-request.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { eachWritten } from '../resources/each-written.ts';
import { FILE_FLAGS, selectObjects } from '../resources/selection.ts';

/** Others may decide or change the request at the same time. */
const MOST_ATTEMPTS = 10;

/** A decision about requests for certificates. */
interface Decision {
  readonly type: 'Approved' | 'Denied';
  readonly done: string;
  readonly reason: string;
  readonly message: string;
}

const deciding = (name: string, about: string, decision: Decision) =>
  command({
    usage: `certificate ${name} (-f FILE | NAME...)`,
    about,
    flags: {
      ...FILE_FLAGS,
      ...OUTPUT_FLAGS,
      force: onOff('force', false, 'write the decision even where it has been taken before'),
    },
    async run({ args, flags, session }) {
      if (args.length === 0 && flags.filename.length === 0 && flags.kustomize === undefined) {
        throw new CommandError('one or more CSRs must be specified as <name> or -f <filename>');
      }
      const { certificates } = (await session.vocabulary()).groups;
      const type = `certificatesigningrequests.${certificates}`;
      const chosen = await selectObjects(session, { ...flags, args: args.length === 0 ? [] : [type, ...args] });
      const client = await session.client();
      const now = new Date(session.runtime.now()).toISOString().replace(/\.\d+Z$/, 'Z');
      await eachWritten(session, chosen, flags, name, async ({ resource, namespace, name: request }) => {
        if (resource.group !== certificates || resource.kind !== 'CertificateSigningRequest') {
          throw new CommandError(`can only handle ${certificates}/v1 certificate signing requests`);
        }
        const target = { kind: resource, namespace, name: request };
        let object: AnyObject = await client.get<CertificateSigningRequest>(target);
        for (let attempt = 1; ; attempt++) {
          const decided = withDecision(object as CertificateSigningRequest, decision, now);
          if (!decided && !flags.force) return { object, done: decision.done };
          try {
            object = await client.replace({ ...target, subresource: 'approval' }, decided ?? object);
            return { object, done: decision.done };
          } catch (error) {
            if (attempt === MOST_ATTEMPTS || !isConflict(error)) throw error;
            object = await client.get<CertificateSigningRequest>(target);
          }
        }
      });
    },
  });

const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'reason' in error && error.reason === 'Conflict';

/** The request with a decision; undefined where it has been taken already. */
function withDecision(request: CertificateSigningRequest, decision: Decision, now: string): AnyObject | undefined {
  const conditions = request.status.conditions ?? [];
  const other = decision.type === 'Approved' ? 'Denied' : 'Approved';
  if (conditions.some(({ type }) => type === decision.type)) return undefined;
  if (conditions.some(({ type }) => type === other)) {
    const was = other === 'Denied' ? 'denied' : 'approved';
    throw new CommandError(`certificate signing request ${JSON.stringify(request.metadata.name)} is already ${was}`);
  }
  const { type, reason, message } = decision;
  const added = { type, status: 'True', reason, message, lastUpdateTime: now };
  return { ...request, status: { ...request.status, conditions: [...conditions, added] } } as unknown as AnyObject;
}

export const certificateApprove = deciding(
  'approve',
  'Approves requests for certificates: their signers may issue what is asked for.',
  {
    type: 'Approved',
    done: 'approved',
    reason: 'PlatformctlApprove',
    message: 'This CSR was approved by platformctl certificate approve.',
  },
);
export const certificateDeny = deciding('deny', 'Denies requests for certificates.', {
  type: 'Denied',
  done: 'denied',
  reason: 'PlatformctlDeny',
  message: 'This CSR was denied by platformctl certificate deny.',
});
