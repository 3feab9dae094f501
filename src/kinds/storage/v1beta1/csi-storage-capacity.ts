import { renamed } from '../../../schema/rename.ts';
import type { Infer } from '../../../schema/schema.ts';
import { CSIStorageCapacity as Newer } from '../v1/csi-storage-capacity.ts';

export const CSIStorageCapacity = renamed(Newer, 'storage.v1.', 'storage.v1beta1.');
export type CSIStorageCapacity = Infer<typeof CSIStorageCapacity>;
