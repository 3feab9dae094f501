import { type Json, objectAt, textAt } from '../api/json.ts';
import { groupNamed } from '../api/names.ts';
import { findKind, objectRoute } from '../state/catalogue.ts';
import { linkTo } from '../state/route.ts';

const PLURALS: Readonly<Record<string, string>> = {
  Role: 'roles',
  ClusterRole: 'clusterroles',
  RoleBinding: 'rolebindings',
  ClusterRoleBinding: 'clusterrolebindings',
};

/** A role or a binding, with a way to it. */
export function PolicyLink({ object }: { object: Json }) {
  const [type, namespace, name] = [textAt(object, 'kind'), textAt(object, 'namespace'), textAt(object, 'name')];
  const kind = findKind(groupNamed('rbac'), PLURALS[type] ?? '');
  if (name === '') return null;
  const text = `${type}/${name}`;
  return kind ? <a href={linkTo(objectRoute(kind, namespace, name))}>{text}</a> : <span>{text}</span>;
}

/** The ways in which something is allowed. */
export function GrantList({ grants }: { grants: readonly Json[] }) {
  return (
    <ul>
      {grants.map((grant, i) => (
        <li key={`${i}`}>
          <span class="quiet">{textAt(grant, 'mode')}</span> <PolicyLink object={objectAt(grant, 'binding')} />{' '}
          {textAt(grant, 'role', 'name') !== '' && (
            <>
              <span class="quiet">of</span> <PolicyLink object={objectAt(grant, 'role')} />
            </>
          )}
          {textAt(grant, 'condition') !== '' && <span class="quiet"> if {textAt(grant, 'condition')}</span>}
        </li>
      ))}
    </ul>
  );
}
