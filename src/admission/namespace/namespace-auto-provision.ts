import { ApiError } from '../../api/errors.ts';
import { SERVER_USER } from '../../api/user.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import type { Registry } from '../../registry/registry.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { onAny } from '../rule.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

/** Makes the namespace that something is created in, when it is not there. */
export function namespaceAutoProvision(objects: Objects, catalogue: Catalogue, registry: Registry): AdmissionPlugin {
  const provide = async (name: string): Promise<void> => {
    const type = catalogue.preferred(NAMESPACES.group, NAMESPACES.plural);
    if (!type) throw new Error('namespaces are not served');
    try {
      await registry.create(type, '', { metadata: { name } }, { user: SERVER_USER });
    } catch (error) {
      // Somebody else was faster: it is there, which is all that is wanted.
      if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
    }
  };
  return {
    rules: [
      onAny(({ namespaced }) => namespaced).mutate({
        create: ({ namespace, dryRun }) =>
          dryRun || objects.has(NAMESPACES, '', namespace) ? undefined : provide(namespace),
      }),
    ],
  };
}
