import { serviceAccountUser } from '../../api/user.ts';
import type { Subject } from '../../kinds/rbac/subject.ts';

/** Who holds what a binding grants: the user, or everyone in the group, of that name. */
export interface Holder {
  readonly isGroup: boolean;
  readonly name: string;
}

/** A service account is held to its user name. Undefined when the subject can be nobody. */
export function holderOf(subject: Subject, bindingNamespace: string): Holder | undefined {
  switch (subject.kind) {
    case 'User':
      return { isGroup: false, name: subject.name };
    case 'Group':
      return { isGroup: true, name: subject.name };
    case 'ServiceAccount': {
      const namespace = accountNamespace(subject, bindingNamespace);
      return namespace === '' ? undefined : { isGroup: false, name: serviceAccountUser(namespace, subject.name) };
    }
    default:
      return undefined;
  }
}

/** As the reason of a decision names it. */
export function describeSubject(subject: Subject, bindingNamespace: string): string {
  if (subject.kind !== 'ServiceAccount') return `${subject.kind} ${JSON.stringify(subject.name)}`;
  return `${subject.kind} ${JSON.stringify(`${subject.name}/${accountNamespace(subject, bindingNamespace)}`)}`;
}

/** An account without a namespace is one of the binding's own. */
const accountNamespace = (subject: Subject, bindingNamespace: string): string => subject.namespace || bindingNamespace;
