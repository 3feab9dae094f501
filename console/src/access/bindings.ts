import { type Json, listAt, textAt } from '../api/json.ts';
import { groupNamed } from '../api/names.ts';
import { isAborted, Refusal, sendForJson } from '../api/request.ts';
import { collectionPath, findKind } from '../state/catalogue.ts';

export interface Subject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface Binding {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly role: { readonly kind: string; readonly name: string };
  readonly subjects: readonly Subject[];
}

export const subjectText = ({ kind, namespace, name }: Subject): string =>
  kind === 'ServiceAccount' ? `${namespace}/${name}` : name;

/** What comes with every server, and says little about this one. */
export const isOfSystem = (name: string): boolean => name.startsWith('system:');

/** All bindings that the user may list. */
export async function readBindings(signal: AbortSignal): Promise<Binding[]> {
  const lists = await Promise.all(
    ['clusterrolebindings', 'rolebindings'].map(async (plural) => {
      const kind = findKind(groupNamed('rbac'), plural);
      if (!kind) return [];
      const list = await sendForJson(`${collectionPath(kind)}?limit=2000`, { signal });
      return listAt(list, 'items').map((item) => bindingOf(kind.kind, item));
    }),
  );
  return lists.flat();
}

/** As `readBindings`; nothing for those who may not list them. */
export async function bindingsOrNone(signal: AbortSignal): Promise<Binding[]> {
  try {
    return await readBindings(signal);
  } catch (error) {
    if (isAborted(error) || !(error instanceof Refusal)) throw error;
    return [];
  }
}

const bindingOf = (kind: string, item: Json): Binding => ({
  kind,
  namespace: textAt(item, 'metadata', 'namespace'),
  name: textAt(item, 'metadata', 'name'),
  role: { kind: textAt(item, 'roleRef', 'kind'), name: textAt(item, 'roleRef', 'name') },
  subjects: listAt(item, 'subjects').map((subject) => ({
    kind: textAt(subject, 'kind'),
    namespace: textAt(subject, 'namespace'),
    name: textAt(subject, 'name'),
  })),
});
