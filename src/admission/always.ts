import { SERVER_USER } from '../api/user.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

/** Has nothing to say. It is there because its name can be given. */
export class AlwaysAdmit implements AdmissionPlugin {
  readonly name = 'AlwaysAdmit';
  readonly operations = [] as const;
}

/**
 * Labels volumes by where a cloud provider keeps them. The server has no cloud provider, so there is nothing to add; its
 * name can be given, as by set-ups that name every plugin.
 */
export class PersistentVolumeLabel implements AdmissionPlugin {
  readonly name = 'PersistentVolumeLabel';
  readonly operations = [] as const;
}

/** Refuses every change but those by which a server brings itself up: without them there would be nobody to refuse. */
export class AlwaysDeny implements AdmissionPlugin {
  readonly name = 'AlwaysDeny';
  readonly operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

  validate(request: AdmissionRequest): void {
    // The value, not the name: who comes from outside is never the same.
    if (request.user === SERVER_USER) return;
    throw refusal(request, 'admission control is denying all modifications');
  }
}
