/** A resource in whatever version. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** A kind of objects in one version, as requests name it. */
export interface NamedKind extends ResourceName {
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** A kind as it is served, with what can be done with it. */
export interface ServedKind extends NamedKind {
  readonly verbs: readonly string[];
}

/** `apps/v1`, or `v1` in the core group. */
export const apiVersionOfKind = ({ group, version }: Pick<NamedKind, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** An object, or a part of one. */
export interface Target {
  readonly kind: NamedKind;
  /** '' where there is none. */
  readonly namespace: string;
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource?: string;
}

/** Of a whole kind, or of what one namespace holds of it. */
export function collectionPath(kind: NamedKind, namespace: string): string {
  const root = kind.group === '' ? '/api' : '/apis';
  const within = kind.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}/${apiVersionOfKind(kind)}${within}/${kind.plural}`;
}

export function objectPath({ kind, namespace, name, subresource = '' }: Target): string {
  const below = subresource === '' ? '' : `/${subresource}`;
  return `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}${below}`;
}
