import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { PersistentVolume } from '../../kinds/core/volume/persistent-volume.ts';
import type { VolumeAttachment } from '../../kinds/storage/v1/volume-attachment.ts';
import type { ObjectSource } from '../../registry/informer.ts';
import type { NodeRelations } from './node-relations.ts';

/** Keeps the relations equal to what is stored; `storage` is the API group of attachments. */
export function feedNodeRelations(relations: NodeRelations, source: ObjectSource, storage: string): void {
  source.follow(
    { group: '', plural: 'pods' },
    {
      onSet: (pod: Pod) => relations.setPod(pod),
      onRemove: ({ metadata: { namespace = '', name = '' } }) => relations.removePod(namespace, name),
    },
  );
  source.follow(
    { group: '', plural: 'persistentvolumes' },
    {
      onSet: (volume: PersistentVolume) => relations.setVolume(volume),
      onRemove: ({ metadata: { name = '' } }) => relations.removeVolume(name),
    },
  );
  source.follow(
    { group: storage, plural: 'volumeattachments' },
    {
      onSet: (attachment: VolumeAttachment) => relations.setAttachment(attachment),
      onRemove: ({ metadata: { name = '' } }) => relations.removeAttachment(name),
    },
  );
}
