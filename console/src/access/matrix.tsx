import { useSignal } from '@preact/signals';
import { ask, canExplain } from '../api/explaining.ts';
import { type Json, listAt } from '../api/json.ts';
import { Absent } from '../parts/absent.tsx';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { kinds, listable, resourceName } from '../state/catalogue.ts';
import { namespaces } from '../state/namespaces.ts';
import { linkTo, refine, route } from '../state/route.ts';
import { bindingsOrNone, isOfSystem, type Subject, subjectText } from './bindings.ts';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const MOST_SUBJECTS = 12;

interface Rules {
  readonly subject: Subject;
  readonly rules: readonly Json[];
}

/** What a number of subjects may do with every kind. */
export function Matrix() {
  if (!canExplain('subjectrulesreviews')) return <Absent what="What others may do" />;
  const { query } = route.value;
  const namespace = query.get('ns') || 'default';
  return (
    <>
      <form class="question" onSubmit={(event) => event.preventDefault()}>
        <label>
          Namespace
          <select value={namespace} onChange={(event) => refine({ ns: event.currentTarget.value })}>
            {[...new Set([namespace, ...namespaces.value])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Users, besides those of bindings
          <input
            value={query.get('users') ?? ''}
            placeholder="alice, bob"
            onChange={(event) => refine({ users: event.currentTarget.value })}
          />
        </label>
      </form>
      <Grid namespace={namespace} users={query.get('users') ?? ''} />
      <CommandLine line={`platformctl auth can-i --list --namespace=${namespace} --as=USER`} />
    </>
  );
}

function Grid({ namespace, users }: { namespace: string; users: string }) {
  const filter = useSignal('');
  const answer = useAnswer((signal) => rulesOfAll(namespace, users, signal), [namespace, users]);
  if (answer.error) return <Notice title="This cannot be told" error={answer.error} />;
  if (!answer.value) return <p class="waiting">Asking…</p>;
  const columns = answer.value;
  const rows = listable(kinds.value).filter((kind) => resourceName(kind).includes(filter.value.toLowerCase()));
  return (
    <section class="card lone matrix">
      <div class="bar">
        <input
          type="search"
          aria-label="Filter resources"
          placeholder="Filter resources"
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
        <span class="quiet legend">{VERBS.join(' · ')}</span>
      </div>
      {columns.length === 0 && (
        <p class="nothing">No subject is bound to anything, besides those of the system. Name some users.</p>
      )}
      <table class="plain">
        <thead>
          <tr>
            <th>Resource</th>
            {columns.map(({ subject }) => (
              <th key={subject.kind + subjectText(subject)} title={subject.kind}>
                {subjectText(subject)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((kind) => (
            <tr key={resourceName(kind)}>
              <td>{resourceName(kind)}</td>
              {columns.map(({ subject, rules }) => (
                <Cell
                  key={subject.kind + subjectText(subject)}
                  group={kind.group}
                  resource={kind.plural}
                  rules={rules}
                  namespace={namespace}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({
  group,
  resource,
  rules,
  namespace,
}: {
  group: string;
  resource: string;
  rules: readonly Json[];
  namespace: string;
}) {
  const allowed = VERBS.filter((verb) => rules.some((rule) => allows(rule, verb, group, resource)));
  const words = allowed.length === 0 ? 'nothing' : allowed.join(', ');
  const name = group === '' ? resource : `${resource}.${group}`;
  return (
    <td>
      <a
        class="ticks"
        href={linkTo(['access', 'who'], { verb: allowed[0] ?? 'get', resource: name, ns: namespace })}
        title={words}
        aria-label={words}
      >
        {VERBS.map((verb) => (
          <i key={verb} class={allowed.includes(verb) ? 'yes' : ''} />
        ))}
      </a>
    </td>
  );
}

const has = (rule: Json, list: string, value: string): boolean => {
  const values = listAt(rule, list);
  return values.includes('*') || values.includes(value);
};

const allows = (rule: Json, verb: string, group: string, resource: string): boolean =>
  has(rule, 'verbs', verb) &&
  has(rule, 'apiGroups', group) &&
  has(rule, 'resources', resource) &&
  listAt(rule, 'resourceNames').length === 0;

/** The groups that everyone who logs in is in. */
const EVERYONE = 'system:authenticated';

const asked = ({ kind, namespace, name }: Subject): { user?: string; groups: string[] } => {
  if (kind === 'Group') return { groups: [name] };
  if (kind !== 'ServiceAccount') return { user: name, groups: [EVERYONE] };
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, EVERYONE];
  return { user: `system:serviceaccount:${namespace}:${name}`, groups };
};

async function rulesOfAll(namespace: string, users: string, signal: AbortSignal): Promise<Rules[]> {
  const bindings = await bindingsOrNone(signal);
  const near = bindings.filter((binding) => binding.namespace === '' || binding.namespace === namespace);
  const named = users
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .map((name): Subject => ({ kind: 'User', namespace: '', name }));
  const bound = near.filter(({ name }) => !isOfSystem(name)).flatMap(({ subjects }) => subjects);
  const all = new Map([...named, ...bound].map((subject) => [subject.kind + subjectText(subject), subject]));
  const chosen = [...all.values()].slice(0, MOST_SUBJECTS);
  return Promise.all(
    chosen.map(async (subject) => {
      const status = await ask('subjectrulesreviews', { namespace, ...asked(subject) }, signal);
      return { subject, rules: listAt(status, 'resourceRules') };
    }),
  );
}
