import type { Fields } from '../../outbound/config-fields.ts';
import { ENTRY_FIELDS, type EntryList } from '../../outbound/config-file.ts';
import { isObject } from '../../schema/json-object.ts';

/** Fields of a mapping in the order in which tools write them; those with a value here are written even when they are empty. */
type Layout = Readonly<Record<string, unknown>>;

const LEFT_OUT = Symbol('left out when empty');

const ENTRY_LAYOUTS: Readonly<Record<EntryList, Layout>> = {
  clusters: {
    server: '',
    'tls-server-name': LEFT_OUT,
    'insecure-skip-tls-verify': LEFT_OUT,
    'certificate-authority': LEFT_OUT,
    'certificate-authority-data': LEFT_OUT,
    'proxy-url': LEFT_OUT,
    'disable-compression': LEFT_OUT,
    extensions: LEFT_OUT,
  },
  users: {
    'client-certificate': LEFT_OUT,
    'client-certificate-data': LEFT_OUT,
    'client-key': LEFT_OUT,
    'client-key-data': LEFT_OUT,
    token: LEFT_OUT,
    tokenFile: LEFT_OUT,
    as: LEFT_OUT,
    'as-uid': LEFT_OUT,
    'as-groups': LEFT_OUT,
    'as-user-extra': LEFT_OUT,
    username: LEFT_OUT,
    password: LEFT_OUT,
    'auth-provider': LEFT_OUT,
    exec: LEFT_OUT,
    extensions: LEFT_OUT,
  },
  contexts: { cluster: '', user: '', namespace: LEFT_OUT, extensions: LEFT_OUT },
};

const EXEC_LAYOUT: Layout = {
  command: '',
  args: null,
  env: null,
  apiVersion: LEFT_OUT,
  installHint: LEFT_OUT,
  provideClusterInfo: false,
  interactiveMode: LEFT_OUT,
};

const PREFERENCES_LAYOUT: Layout = { colors: LEFT_OUT, extensions: LEFT_OUT };

/** Fields whose insides are anybody's: their keys are sorted. */
const SORTED: ReadonlySet<string> = new Set(['extensions', 'as-user-extra', 'auth-provider']);

/**
 * A configuration as tools of this kind write it: fields in their order, entries by name, what is empty left out or spelled
 * out. Fields that nobody here knows stay, after those that are known.
 */
export function layoutConfig(document: Fields): Fields {
  const { kind: _, apiVersion: __, preferences, clusters, users, contexts, extensions, ...others } = document;
  const { 'current-context': currentContext, ...unknown } = others;
  return {
    kind: 'Config',
    apiVersion: 'v1',
    preferences: inOrder(isObject(preferences) ? preferences : {}, PREFERENCES_LAYOUT),
    clusters: entriesInOrder(clusters, 'clusters'),
    users: entriesInOrder(users, 'users'),
    contexts: entriesInOrder(contexts, 'contexts'),
    'current-context': currentContext ?? '',
    ...(isEmpty(extensions) ? {} : { extensions }),
    ...unknown,
  };
}

function entriesInOrder(items: unknown, list: EntryList): readonly unknown[] | null {
  if (!Array.isArray(items) || items.length === 0) return null;
  const nameOf = (item: unknown): string => (isObject(item) ? String(item.name) : '');
  const byName = items.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return byName.map((item) => (isObject(item) ? itemInOrder(item, list) : item));
}

function itemInOrder(item: Fields, list: EntryList): Fields {
  const field = ENTRY_FIELDS[list];
  const { name, [field]: entry, ...unknown } = item;
  const fields = isObject(entry) ? entry : {};
  const { exec } = fields;
  const laidOut = isObject(exec) ? { ...fields, exec: inOrder(exec, EXEC_LAYOUT) } : fields;
  return { name, [field]: inOrder(laidOut, ENTRY_LAYOUTS[list]), ...unknown };
}

function inOrder(fields: Fields, layout: Layout): Fields {
  const known = Object.entries(layout).flatMap(([name, whenEmpty]) => {
    if (!isEmpty(fields[name])) return [[name, SORTED.has(name) ? sorted(fields[name]) : fields[name]]];
    return whenEmpty === LEFT_OUT ? [] : [[name, whenEmpty]];
  });
  const unknown = Object.entries(fields).filter(([name]) => !Object.hasOwn(layout, name));
  return Object.fromEntries([...known, ...unknown]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isNamed(item) ? { name: item.name, ...sortedFields(item) } : sorted(item)));
  return isObject(value) ? sortedFields(value) : value;
}

const isNamed = (item: unknown): item is Fields => isObject(item) && item.name !== undefined && 'extension' in item;

const sortedFields = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((name) => [name, sorted(fields[name])]),
  );

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
