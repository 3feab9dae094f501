import { at, type JsonObject, listAt, objectAt, textAt } from '../api/json.ts';
import { GrantList, PolicyLink } from './grants.tsx';

/** Whether an access is allowed, why, and what would have to be otherwise. */
export function Story({ story }: { story: JsonObject }) {
  const isAllowed = at(story, 'allowed') === true;
  const near = listAt(story, 'nearestRules');
  const roles = listAt(story, 'sufficientRoles');
  const least = at(story, 'leastGrant');
  return (
    <section class="card lone story">
      <h2>
        <span class={`state ${isAllowed ? 'good' : 'bad'}`}>{isAllowed ? 'Allowed now' : 'Not allowed'}</span>
      </h2>
      <p class="quiet">{textAt(story, 'reason') || textAt(story, 'note')}</p>
      <h3>What each mode says</h3>
      <ul>
        {listAt(story, 'modes').map((mode) => (
          <li key={textAt(mode, 'mode')}>
            <b>{textAt(mode, 'mode')}</b> {textAt(mode, 'decision')} <span class="quiet">{textAt(mode, 'reason')}</span>
          </li>
        ))}
      </ul>
      {listAt(story, 'grants').length > 0 && (
        <>
          <h3>By</h3>
          <GrantList grants={listAt(story, 'grants')} />
        </>
      )}
      {near.length > 0 && (
        <>
          <h3>The nearest rules</h3>
          <ul>
            {near.map((rule, i) => (
              <li key={`${i}`}>
                <PolicyLink object={objectAt(rule, 'binding')} /> <span class="quiet">lacks</span>{' '}
                {listAt(rule, 'lacks').join(', ')}
              </li>
            ))}
          </ul>
        </>
      )}
      {roles.length > 0 && (
        <>
          <h3>Roles that would do</h3>
          <ul>
            {roles.map((role) => (
              <li key={textAt(role, 'kind') + textAt(role, 'namespace') + textAt(role, 'name')}>
                <PolicyLink object={role} /> <span class="quiet">{textAt(role, 'rules')} rules</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {least !== undefined && least !== null && (
        <>
          <h3>The least that would allow it</h3>
          <pre class="line">{JSON.stringify(least, undefined, 2)}</pre>
        </>
      )}
    </section>
  );
}
