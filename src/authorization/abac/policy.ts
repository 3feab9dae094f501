import { AUTHENTICATED_GROUP } from '../../api/user.ts';

/** One line of a policy file: who may do what. '' in a field means nothing, not everything: that is `*`. */
export interface Policy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

type Fields = Readonly<Record<string, unknown>>;

const TEXTS = ['user', 'group', 'apiGroup', 'resource', 'namespace', 'nonResourcePath'] as const;
const NAMES: ReadonlySet<string> = new Set([...TEXTS, 'readonly']);
const UNVERSIONED_NAMES: ReadonlySet<string> = new Set(['user', 'group', 'resource', 'namespace', 'readonly']);

/** Reads a line: a Policy of `apiGroup`, or the older form without a kind. Throws what is wrong with it. */
export function readPolicy(line: string, apiGroup: string): Policy {
  const { apiVersion, kind, ...rest } = objectOf(parseJson(line), 'a policy');
  if (apiVersion === undefined && kind === undefined) return unversioned(rest);
  if (kind !== 'Policy') throw new Error(`kind must be Policy, not ${JSON.stringify(kind)}`);
  if (apiVersion === `${apiGroup}/v0`) return unversioned(rest);
  if (apiVersion !== `${apiGroup}/v1beta1`) {
    throw new Error(`apiVersion must be ${apiGroup}/v1beta1, not ${JSON.stringify(apiVersion)}`);
  }
  const { spec, ...others } = rest;
  refuseUnknown(others, new Set());
  return forAuthenticated(readFields(objectOf(spec ?? {}, 'spec'), NAMES));
}

/** In the older form what is left out is not limited. */
function unversioned(fields: Fields): Policy {
  const policy = readFields(fields, UNVERSIONED_NAMES);
  const { user, group, namespace, resource } = policy;
  return forAuthenticated({
    ...policy,
    user: user || group ? user : '*',
    apiGroup: '*',
    namespace: namespace || '*',
    resource: resource || '*',
    nonResourcePath: namespace || resource ? '' : '*',
  });
}

/** "Everyone" does not mean those who have not said who they are: they must be named. */
const forAuthenticated = (policy: Policy): Policy =>
  policy.user === '*' || policy.group === '*' ? { ...policy, user: '', group: AUTHENTICATED_GROUP } : policy;

function readFields(fields: Fields, known: ReadonlySet<string>): Policy {
  refuseUnknown(fields, known);
  const [user = '', group = '', apiGroup = '', resource = '', namespace = '', nonResourcePath = ''] = TEXTS.map(
    (name) => textIn(fields, name),
  );
  const { readonly = false } = fields;
  if (typeof readonly !== 'boolean') throw new Error('readonly must be true or false');
  return { user, group, readonly, apiGroup, resource, namespace, nonResourcePath };
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name] ?? '';
  if (typeof value !== 'string') throw new Error(`${name} must be a string`);
  return value;
}

/** A field with a typing error would be one that limits nothing. */
function refuseUnknown(fields: Fields, known: ReadonlySet<string>): void {
  const unknown = Object.keys(fields).find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`there is no field ${JSON.stringify(unknown)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('not JSON');
  }
}

function objectOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} must be an object`);
  return { ...value };
}
