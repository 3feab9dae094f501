import { useSignal } from '@preact/signals';
import { at, type JsonObject, listAt, numberAt, textAt } from '../api/json.ts';
import { groupNamed, names } from '../api/names.ts';
import { messageOf, sendForJson } from '../api/request.ts';
import { Dialog } from '../shell/dialog.tsx';
import { tell } from '../shell/toasts.tsx';
import { resourceName } from '../state/catalogue.ts';
import type { LiveObject } from './live-object.ts';

const MERGE = 'application/merge-patch+json';

interface Props {
  readonly live: LiveObject;
  readonly object: JsonObject;
}

/** What can be done with an object besides editing it. */
export function Actions({ live, object }: Props) {
  const { kind } = live;
  const dialog = useSignal<'' | 'delete' | 'scale'>('');
  const close = (): void => {
    dialog.value = '';
  };
  const isGoing = textAt(object, 'metadata', 'deletionTimestamp') !== '';
  return (
    <div class="actions">
      {kind.subresources.includes('scale') && (
        <button
          type="button"
          onClick={() => {
            dialog.value = 'scale';
          }}
        >
          Scale
        </button>
      )}
      {isRestartable(object) && kind.verbs.includes('patch') && (
        <button type="button" onClick={() => void restart(live)}>
          Restart
        </button>
      )}
      {kind.group === '' && kind.plural === 'nodes' && (
        <button type="button" onClick={() => void cordon(live, at(object, 'spec', 'unschedulable') !== true)}>
          {at(object, 'spec', 'unschedulable') === true ? 'Uncordon' : 'Cordon'}
        </button>
      )}
      {kind.group === groupNamed('certificates') && isUndecided(object) && (
        <>
          <button type="button" onClick={() => void decide(live, object, 'Approved')}>
            Approve
          </button>
          <button type="button" class="danger" onClick={() => void decide(live, object, 'Denied')}>
            Deny
          </button>
        </>
      )}
      {kind.verbs.includes('delete') && !isGoing && (
        <button
          type="button"
          class="danger"
          onClick={() => {
            dialog.value = 'delete';
          }}
        >
          Delete
        </button>
      )}
      {dialog.value === 'delete' && <Deleting live={live} object={object} close={close} />}
      {dialog.value === 'scale' && <Scaling live={live} object={object} close={close} />}
    </div>
  );
}

const isRestartable = (object: JsonObject): boolean =>
  ['Deployment', 'StatefulSet', 'DaemonSet'].includes(textAt(object, 'kind')) &&
  at(object, 'spec', 'template', 'spec') !== undefined;

const isUndecided = (object: JsonObject): boolean =>
  textAt(object, 'kind') === 'CertificateSigningRequest' &&
  !listAt(object, 'status', 'conditions').some((one) => ['Approved', 'Denied'].includes(textAt(one, 'type')));

/** Does something and says how it went. */
async function attempt(done: string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    tell(done);
    return true;
  } catch (error) {
    tell(messageOf(error), true);
    return false;
  }
}

const patch = (live: LiveObject, body: JsonObject, below = ''): Promise<JsonObject> =>
  sendForJson(`${live.path}${below}?fieldManager=console`, { method: 'PATCH', body, type: MERGE });

const restart = (live: LiveObject): Promise<boolean> =>
  attempt(`${live.name} is being restarted`, () =>
    patch(live, {
      spec: { template: { metadata: { annotations: { [names().restartedAt]: new Date().toISOString() } } } },
    }),
  );

const cordon = (live: LiveObject, isCordoned: boolean): Promise<boolean> =>
  attempt(isCordoned ? `${live.name} takes no new pods` : `${live.name} takes pods again`, () =>
    patch(live, { spec: { unschedulable: isCordoned ? true : null } }),
  );

const decide = (live: LiveObject, object: JsonObject, type: 'Approved' | 'Denied'): Promise<boolean> =>
  attempt(`${live.name} is ${type.toLowerCase()}`, () => {
    const condition = {
      type,
      status: 'True',
      reason: 'DecidedInConsole',
      message: 'Decided by a person in the console',
    };
    const conditions = [...listAt(object, 'status', 'conditions'), condition];
    const body = { ...object, status: { ...Object(at(object, 'status')), conditions } };
    return sendForJson(`${live.path}/approval?fieldManager=console`, { method: 'PUT', body });
  });

function Deleting({ live, object, close }: Props & { close(): void }) {
  const { kind, namespace, name } = live;
  const propagation = useSignal('Background');
  const remove = async (): Promise<void> => {
    const uid = textAt(object, 'metadata', 'uid');
    const body = { propagationPolicy: propagation.value, preconditions: { uid } };
    if (await attempt(`${name} is deleted, or going`, () => sendForJson(live.path, { method: 'DELETE', body })))
      close();
  };
  const place = namespace === '' ? '' : ` --namespace=${namespace}`;
  return (
    <Dialog title={`Delete ${name}`} close={close}>
      <h2>Delete {name}?</h2>
      <p class="quiet">
        {kind.kind}
        {namespace === '' ? '' : ` in ${namespace}`}. Its history may bring it back for some time.
      </p>
      <label class="field">
        What it owns
        <select
          value={propagation.value}
          onChange={(event) => {
            propagation.value = event.currentTarget.value;
          }}
        >
          <option value="Background">goes after it</option>
          <option value="Foreground">goes before it</option>
          <option value="Orphan">stays</option>
        </select>
      </label>
      <code class="line">
        platformctl delete {resourceName(kind)} {name}
        {place} --cascade={propagation.value.toLowerCase()}
      </code>
      <div class="buttons">
        <button type="button" onClick={close}>
          Keep it
        </button>
        <button type="button" class="danger" onClick={() => void remove()}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}

function Scaling({ live, object, close }: Props & { close(): void }) {
  const replicas = useSignal(numberAt(object, 'spec', 'replicas') ?? 1);
  const scale = async (): Promise<void> => {
    const body = { spec: { replicas: replicas.value } };
    if (await attempt(`${live.name} is to have ${replicas.value}`, () => patch(live, body, '/scale'))) close();
  };
  return (
    <Dialog title={`Scale ${live.name}`} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void scale();
        }}
      >
        <h2>Scale {live.name}</h2>
        <label class="field">
          Replicas
          <input
            type="number"
            min="0"
            max="100000"
            value={replicas.value}
            onInput={(event) => {
              replicas.value = event.currentTarget.valueAsNumber || 0;
            }}
          />
        </label>
        <code class="line">
          platformctl scale {resourceName(live.kind)} {live.name} --replicas={replicas.value}
        </code>
        <div class="buttons">
          <button type="button" onClick={close}>
            Leave it
          </button>
          <button type="submit" class="primary">
            Scale
          </button>
        </div>
      </form>
    </Dialog>
  );
}
