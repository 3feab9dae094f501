import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import type { Objects } from '../../registry/objects.ts';

/** What there is to know of a namespace before something is written into it. */
export type KnownNamespace = 'there' | 'going' | 'absent';

export const NO_SUCH_NAMESPACE: KnownNamespace = 'absent';

/** Who knows of namespaces: this server, or one in front of it that has them. */
export interface NamespaceSource {
  find(name: string): KnownNamespace | Promise<KnownNamespace>;
}

const NAMESPACES = { group: '', plural: 'namespaces' };

/** The namespaces of this server itself. */
export const storedNamespaces = (objects: Objects): NamespaceSource => ({
  find(name) {
    const namespace = objects.get<Namespace>(NAMESPACES, '', name);
    if (!namespace) return NO_SUCH_NAMESPACE;
    return namespace.status.phase === 'Terminating' ? 'going' : 'there';
  },
});
