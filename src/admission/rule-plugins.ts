import { PersistentVolumeLabel } from './always.ts';
import { CertificateApproval } from './certificate-approval.ts';
import { CertificateSigning } from './certificate-signing.ts';
import { CertificateSubjectRestriction } from './certificate-subject-restriction.ts';
import { DefaultIngressClass } from './default-ingress-class.ts';
import { DefaultStorageClass } from './default-storage-class.ts';
import { DenyServiceExternalIPs } from './deny-service-external-ips.ts';
import { EventRateLimit } from './event-rate-limit.ts';
import { readEventLimits } from './event-rate-limit-configuration.ts';
import { NodeRestriction } from './node-restriction.ts';
import { OwnerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';
import { PersistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import type { PluginEntry } from './plugin.ts';
import { StorageObjectInUseProtection } from './storage-object-in-use-protection.ts';

/** Plugins about volumes, certificates, nodes and what else a single kind needs. */
export const rulePlugins: readonly PluginEntry[] = [
  {
    name: 'NodeRestriction',
    byDefault: false,
    make: ({ objects, vocabulary }) => new NodeRestriction(objects, vocabulary),
  },
  {
    name: 'ImagePolicyWebhook',
    byDefault: false,
    read: async (given) => (await import('./image-policy-start.ts')).readImagePolicyWebhook(given),
  },
  {
    name: 'EventRateLimit',
    byDefault: false,
    make: ({ runtime, vocabulary }, given) => new EventRateLimit(readEventLimits(given, vocabulary), runtime),
  },
  { name: 'PersistentVolumeLabel', byDefault: false, make: () => new PersistentVolumeLabel() },
  {
    name: 'DefaultStorageClass',
    byDefault: true,
    make: ({ objects, vocabulary }) => new DefaultStorageClass(objects, vocabulary),
  },
  {
    name: 'StorageObjectInUseProtection',
    byDefault: true,
    make: ({ vocabulary }) => new StorageObjectInUseProtection(vocabulary),
  },
  {
    name: 'OwnerReferencesPermissionEnforcement',
    byDefault: false,
    make: ({ may, catalogue }) => new OwnerReferencesPermissionEnforcement(may, catalogue),
  },
  {
    name: 'PersistentVolumeClaimResize',
    byDefault: true,
    make: ({ objects, vocabulary }) => new PersistentVolumeClaimResize(objects, vocabulary),
  },
  {
    name: 'CertificateApproval',
    byDefault: true,
    make: ({ may, vocabulary }) => new CertificateApproval(may, vocabulary.groups.certificates),
  },
  {
    name: 'CertificateSigning',
    byDefault: true,
    make: ({ may, vocabulary }) => new CertificateSigning(may, vocabulary.groups.certificates),
  },
  {
    name: 'CertificateSubjectRestriction',
    byDefault: true,
    make: ({ vocabulary }) => new CertificateSubjectRestriction(vocabulary),
  },
  {
    name: 'DefaultIngressClass',
    byDefault: true,
    make: ({ objects, vocabulary }) => new DefaultIngressClass(objects, vocabulary),
  },
  { name: 'DenyServiceExternalIPs', byDefault: false, make: () => new DenyServiceExternalIPs() },
];
