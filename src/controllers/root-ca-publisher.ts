import { unless } from '../client/plane-client.ts';
import type { ConfigMap } from '../kinds/core/config/config-map.ts';
import { sameJson } from '../schema/same-json.ts';
import { unlessGoing } from './going-namespace.ts';
import { type Loop, type LoopPlane, servedKind } from './loop.ts';
import type { LoopMaterials } from './loop-materials.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };
const CONFIG_MAPS = { group: '', plural: 'configmaps' };
const DESCRIPTION = 'Holds the authority by which clients inside the plane can verify the server.';

/**
 * Every namespace holds the authority by which its pods know the server, in a config map that is put back when it was
 * deleted or changed.
 */
export const rootCaPublisher = ({ rootCa }: LoopMaterials): Loop => ({
  name: 'root-ca-cert-publisher',
  account: 'root-ca-cert-publisher',
  begin(plane) {
    const name = plane.vocabulary.wellKnown.rootCaConfigMap;
    return {
      watches: [
        { ...NAMESPACES, onSet: ({ metadata }) => (metadata.deletionTimestamp ? [] : [metadata.name ?? '']) },
        {
          ...CONFIG_MAPS,
          name,
          onSet: ({ metadata }) => [metadata.namespace ?? ''],
          onRemove: ({ metadata }) => [metadata.namespace ?? ''],
        },
      ],
      handle: (namespace) => publish(plane, namespace, { 'ca.crt': rootCa }),
    };
  },
});

async function publish(plane: LoopPlane, namespace: string, data: Readonly<Record<string, string>>): Promise<void> {
  const { known, client, vocabulary } = plane;
  const name = vocabulary.wellKnown.rootCaConfigMap;
  const kind = servedKind(plane, CONFIG_MAPS);
  const { description } = vocabulary.annotations;
  const found = known.get<ConfigMap>(CONFIG_MAPS, namespace, name);
  if (!found) {
    if (known.get(NAMESPACES, '', namespace)?.metadata.deletionTimestamp !== undefined) return;
    const metadata = { name, annotations: { [description]: DESCRIPTION } };
    await client.create(kind, namespace, { metadata, data }).catch(unless('AlreadyExists')).catch(unlessGoing);
    return;
  }
  const annotations = found.metadata.annotations ?? {};
  if (sameJson(found.data ?? {}, data) && annotations[description]) return;
  const metadata = { ...found.metadata, annotations: { ...annotations, [description]: DESCRIPTION } };
  // One that is another by now, or gone, is told of by itself: its role does not let this loop ask for it.
  await client.replace({ kind, namespace, name }, { ...found, metadata, data }).catch(unless('NotFound', 'Conflict'));
}
