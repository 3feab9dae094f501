import { type Json, type JsonObject, listAt, objectAt, textAt, textsAt } from '../api/json.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { kindNamed, kindRoute, objectRoute, resourceName } from '../state/catalogue.ts';
import { ageOf, clock } from '../state/clock.ts';
import { linkTo } from '../state/route.ts';
import { Events } from './events.tsx';
import { FieldTree } from './field-tree.tsx';
import type { LiveObject } from './live-object.ts';
import { Related } from './related.tsx';

/** What matters of an object, whatever its kind. */
export function Overview({ live, object }: { live: LiveObject; object: JsonObject }) {
  const { kind, namespace, name } = live;
  const rest = Object.keys(object).filter(
    (key) => !['apiVersion', 'kind', 'metadata'].includes(key) && !isEmpty(object[key]),
  );
  return (
    <>
      <div class="overview">
        <div class="wide">
          <Conditions object={object} />
          {rest.map((key) => (
            <section class="card" key={key}>
              <h2>{key}</h2>
              <FieldTree value={object[key] ?? null} kind={kind} path={[key]} />
            </section>
          ))}
          <Events live={live} object={object} />
        </div>
        <div class="aside">
          <section class="card">
            <h2>Metadata</h2>
            <Metadata object={object} />
          </section>
          <Labels title="Labels" kind={live} texts={textsAt(object, 'metadata', 'labels')} isSelectable />
          <Labels title="Annotations" kind={live} texts={textsAt(object, 'metadata', 'annotations')} />
          <Related live={live} object={object} />
        </div>
      </div>
      <CommandLine
        line={`platformctl describe ${resourceName(kind)} ${name}${namespace === '' ? '' : ` --namespace=${namespace}`}`}
      />
    </>
  );
}

const isEmpty = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function Metadata({ object }: { object: JsonObject }) {
  const metadata = objectAt(object, 'metadata');
  const rows: [string, string][] = [
    ['Created', textAt(metadata, 'creationTimestamp')],
    ['Deletion', textAt(metadata, 'deletionTimestamp')],
    ['Version', textAt(metadata, 'resourceVersion')],
    ['Generation', textAt(metadata, 'generation')],
    ['UID', textAt(metadata, 'uid')],
    ['Finalizers', listAt(metadata, 'finalizers').join(', ')],
  ];
  const owners = listAt(metadata, 'ownerReferences');
  const namespace = textAt(metadata, 'namespace');
  return (
    <dl class="facts">
      {rows
        .filter(([, text]) => text !== '')
        .map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      {owners.map((owner) => (
        <div key={textAt(owner, 'uid')}>
          <dt>Owner</dt>
          <dd>
            <OwnerLink owner={owner} namespace={namespace} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function OwnerLink({ owner, namespace }: { owner: Json; namespace: string }) {
  const [kind, name] = [textAt(owner, 'kind'), textAt(owner, 'name')];
  const known = kindNamed(textAt(owner, 'apiVersion'), kind);
  const text = `${kind}/${name}`;
  if (!known) return <span>{text}</span>;
  return <a href={linkTo(objectRoute(known, known.namespaced ? namespace : '', name))}>{text}</a>;
}

interface LabelsProps {
  readonly title: string;
  readonly kind: LiveObject;
  readonly texts: readonly [string, string][];
  readonly isSelectable?: boolean;
}

function Labels({ title, kind: { kind, namespace }, texts, isSelectable = false }: LabelsProps) {
  if (texts.length === 0) return null;
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul class="chips">
        {texts.map(([key, value]) => (
          <li key={key}>
            {isSelectable ? (
              <a class="chip" href={linkTo(kindRoute(kind), { ns: namespace, labels: `${key}=${value}` })}>
                {key}={value}
              </a>
            ) : (
              <span class="chip">
                {key}={value}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Conditions({ object }: { object: JsonObject }) {
  const conditions = listAt(object, 'status', 'conditions');
  if (conditions.length === 0) return null;
  return (
    <section class="card">
      <h2>Conditions</h2>
      <table class="plain">
        <thead>
          <tr>
            <th>Type</th>
            <th>Status</th>
            <th>Reason</th>
            <th>Message</th>
            <th>Since</th>
          </tr>
        </thead>
        <tbody>
          {conditions.map((condition) => (
            <tr key={textAt(condition, 'type')}>
              <td>{textAt(condition, 'type')}</td>
              <td>{textAt(condition, 'status')}</td>
              <td>{textAt(condition, 'reason')}</td>
              <td>{textAt(condition, 'message')}</td>
              <td>{ageOf(textAt(condition, 'lastTransitionTime'), clock.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
