import { ObjectMeta } from '../../../meta/object-meta.ts';
import { bool, int64, string } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../../schema/schema.ts';

export const TokenRequest = struct(
  'storage.v1.TokenRequest',
  {
    audience: f(
      1,
      string().required(),
      'Who the token is meant for; empty for the API server. Different for each token of a driver.',
    ),
    expirationSeconds: f(
      2,
      int64().optional(),
      'Seconds that the token should be valid, at least 600. Unset: an hour.',
    ),
  },
  { description: 'A token that a driver gets for each pod.' },
);
export type TokenRequest = Infer<typeof TokenRequest>;

export const CSIDriverSpec = struct(
  'storage.v1.CSIDriverSpec',
  {
    attachRequired: f(
      1,
      bool().optional().default(true),
      'Whether volumes must be attached to a node before they are mounted; false skips VolumeAttachments. Default true. Cannot be changed.',
    ),
    podInfoOnMount: f(
      2,
      bool().optional().default(false),
      'Whether the driver is given name, namespace, UID and service account of the pod on mount. Default false.',
    ),
    volumeLifecycleModes: f(
      3,
      list(string()).set().default(['Persistent']),
      'Persistent for volumes by claim, Ephemeral for volumes inside a pod that live as long as it. Default Persistent. Cannot be changed.',
    ),
    storageCapacity: f(
      4,
      bool().optional().default(false),
      'Whether the scheduler looks at the CSIStorageCapacity objects of the driver before it places pods. Default false.',
    ),
    fsGroupPolicy: f(
      5,
      string().optional().default('ReadWriteOnceWithFSType'),
      'Whether fsGroup of pods changes owner and mode of volumes: ReadWriteOnceWithFSType (the default) for such volumes, File always, None never.',
    ),
    tokenRequests: f(
      6,
      list(TokenRequest).atomicList(),
      'Tokens of the service account of the pod that the driver is given on mount; audiences must differ.',
    ),
    requiresRepublish: f(
      7,
      bool().optional().default(false),
      'Whether the driver is called again from time to time to refresh mounted volumes, for example expiring tokens. Default false.',
    ),
    seLinuxMount: f(
      8,
      bool().optional(),
      'Whether volumes can be mounted with the security label of the pod. Part of the feature SELinuxMountReadWriteOncePod.',
    ),
  },
  { description: 'What a storage driver can do, and what it expects from the cluster.' },
);
export type CSIDriverSpec = Infer<typeof CSIDriverSpec>;

export const CSIDriver = kind(
  'storage.v1.CSIDriver',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, CSIDriverSpec.required()),
  },
  { description: 'Facts about a storage driver; its name is the name that the driver reports.' },
);
export type CSIDriver = Infer<typeof CSIDriver>;
