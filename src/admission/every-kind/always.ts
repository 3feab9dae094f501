import { SERVER_USER } from '../../api/user.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { onAny } from '../rule.ts';

/** Has nothing to say. It is there because its name can be given, as by set-ups that name every plugin. */
export const silent = (): AdmissionPlugin => ({ rules: [] });

/** Refuses every change but those by which a server brings itself up: without them there would be nobody to refuse. */
export const alwaysDeny = (): AdmissionPlugin => ({
  rules: [onAny().validate({ write: refuse, delete: refuse, connect: refuse })],
});

function refuse(request: AdmissionRequest): void {
  // The value, not the name: who comes from outside is never the same.
  if (request.user === SERVER_USER) return;
  throw refusal(request, 'admission control is denying all modifications');
}
