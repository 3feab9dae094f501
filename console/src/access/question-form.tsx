import type { JsonObject } from '../api/json.ts';
import { findKind, kinds } from '../state/catalogue.ts';
import { namespaces } from '../state/namespaces.ts';
import { refine, route } from '../state/route.ts';

export const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** The access that the address asks about. */
export function askedAccess(): {
  readonly attributes: JsonObject;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
} {
  const { query } = route.value;
  const verb = query.get('verb') || 'get';
  const resource = query.get('resource') || 'pods';
  const namespace = query.get('ns') ?? '';
  const [plain = '', subresource = ''] = resource.split('/', 2);
  const dot = plain.indexOf('.');
  const [plural, group] = dot < 0 ? [plain, ''] : [plain.slice(0, dot), plain.slice(dot + 1)];
  const version = findKind(group, plural)?.version ?? '';
  const attributes = { verb, group, version, resource: plural, subresource, namespace, name: query.get('name') ?? '' };
  return { attributes, verb, resource, namespace };
}

/** Chooses what a question about access is about. Everything stands in the address. */
export function AccessForm() {
  const { verb, resource, namespace } = askedAccess();
  const { query } = route.value;
  return (
    <>
      <label>
        Verb
        <input list="verbs" value={verb} onChange={(event) => refine({ verb: event.currentTarget.value.trim() })} />
        <datalist id="verbs">
          {VERBS.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
      <label>
        Resource
        <input
          list="resources"
          value={resource}
          onChange={(event) => refine({ resource: event.currentTarget.value.trim() })}
        />
        <datalist id="resources">
          {kinds.value.map(({ group, plural }) => (
            <option key={group + plural} value={group === '' ? plural : `${plural}.${group}`} />
          ))}
        </datalist>
      </label>
      <label>
        Namespace
        <input
          list="spaces"
          value={namespace}
          placeholder="all"
          onChange={(event) => refine({ ns: event.currentTarget.value.trim() })}
        />
        <datalist id="spaces">
          {namespaces.value.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
      <label>
        Name
        <input
          value={query.get('name') ?? ''}
          placeholder="any"
          onChange={(event) => refine({ name: event.currentTarget.value.trim() })}
        />
      </label>
    </>
  );
}
