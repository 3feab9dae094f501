import { MINOR } from '../api/release.ts';
import { certificateApproval } from './certificates/certificate-approval.ts';
import { certificateSigning } from './certificates/certificate-signing.ts';
import { certificateSubjectRestriction } from './certificates/certificate-subject-restriction.ts';
import { readEventLimits } from './event/configuration.ts';
import { eventRateLimit } from './event/event-rate-limit.ts';
import { alwaysDeny, silent } from './every-kind/always.ts';
import { OwnerReferencesPermissionEnforcement } from './every-kind/owner-references-permission-enforcement.ts';
import { limitRanger } from './limit-range/limit-ranger.ts';
import { namespaceAutoProvision } from './namespace/namespace-auto-provision.ts';
import { namespaceExists } from './namespace/namespace-exists.ts';
import { namespaceLifecycle } from './namespace/namespace-lifecycle.ts';
import { defaultIngressClass } from './networking/default-ingress-class.ts';
import { denyServiceExternalIPs } from './networking/deny-service-external-ips.ts';
import { nodeRestriction } from './node/node-restriction.ts';
import { taintNodesByCondition } from './node/taint-nodes-by-condition.ts';
import type { PluginEntry } from './plugin-entry.ts';
import { alwaysPullImages } from './pod/always-pull-images.ts';
import { defaultTolerationSeconds } from './pod/default-toleration-seconds.ts';
import { extendedResourceToleration } from './pod/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './pod/limit-pod-hard-anti-affinity-topology.ts';
import { podNodeSelector, readNodeSelectors } from './pod/pod-node-selector.ts';
import { podTolerationRestriction, readUsualTolerations } from './pod/pod-toleration-restriction.ts';
import { priority } from './pod/priority.ts';
import { runtimeClass } from './pod/runtime-class.ts';
import { securityContextDeny } from './pod/security-context-deny.ts';
import { ServiceAccounts } from './pod/service-account.ts';
import { readConfiguration as readPodSecurity } from './pod-security/configuration.ts';
import { PodSecurity } from './pod-security/pod-security.ts';
import { PodSecurityMetrics } from './pod-security/pod-security-metrics.ts';
import { MutatingPolicies } from './policy/mutating-policies.ts';
import { ValidatingPolicies } from './policy/validating-policies.ts';
import { readConfiguration as readLimitedResources } from './resource-quota/configuration.ts';
import { ResourceQuotaPlugin } from './resource-quota/resource-quota.ts';
import { defaultStorageClass } from './storage/default-storage-class.ts';
import { persistentVolumeClaimResize } from './storage/persistent-volume-claim-resize.ts';
import { storageObjectInUseProtection } from './storage/storage-object-in-use-protection.ts';
import { askingParts } from './webhook/asking-parts.ts';
import { readWebhookCredentials } from './webhook/credentials.ts';
import { MutatingWebhooks } from './webhook/mutating-webhooks.ts';
import { ValidatingWebhooks } from './webhook/validating-webhooks.ts';

/**
 * Every plugin there is, in the order in which they act, whatever order they are turned on in. What flags and
 * documentation say of plugins is taken from here.
 */
export const PLUGINS: readonly PluginEntry[] = [
  { name: 'AlwaysAdmit', byDefault: false, does: 'nothing', make: silent },
  {
    name: 'NamespaceAutoProvision',
    byDefault: false,
    does: 'makes the namespace that something is created in',
    make: ({ objects, catalogue, registry }) => namespaceAutoProvision(objects, catalogue, registry),
  },
  {
    name: 'NamespaceLifecycle',
    byDefault: true,
    does: 'nothing is written into a namespace that is missing, nothing new into one that is going; some cannot be deleted',
    make: ({ namespaces, vocabulary }) => namespaceLifecycle(namespaces, vocabulary),
  },
  {
    name: 'NamespaceExists',
    byDefault: false,
    does: 'nothing is changed in a namespace that is missing',
    make: ({ objects }) => namespaceExists(objects),
  },
  {
    name: 'SecurityContextDeny',
    byDefault: false,
    does: 'pods do not choose users, groups and SELinux options',
    make: securityContextDeny,
  },
  {
    name: 'LimitPodHardAntiAffinityTopology',
    byDefault: false,
    does: 'pods insist on a node of their own at most',
    make: ({ vocabulary }) => limitPodHardAntiAffinityTopology(vocabulary),
  },
  {
    name: 'LimitRanger',
    byDefault: true,
    does: 'defaults, least, most and ratios of limit ranges',
    make: ({ objects, vocabulary }) => limitRanger(objects, vocabulary),
  },
  {
    name: 'ServiceAccount',
    byDefault: true,
    does: 'the account of a pod, its token and its pull secrets',
    make: ({ objects, runtime, vocabulary }) => new ServiceAccounts(objects, runtime, vocabulary),
  },
  {
    name: 'NodeRestriction',
    byDefault: false,
    does: 'nodes write only what is theirs',
    make: ({ objects, vocabulary }) => nodeRestriction(objects, vocabulary),
  },
  {
    name: 'TaintNodesByCondition',
    byDefault: true,
    does: 'new nodes are not ready',
    make: ({ vocabulary }) => taintNodesByCondition(vocabulary),
  },
  { name: 'AlwaysPullImages', byDefault: false, does: 'images are pulled every time', make: alwaysPullImages },
  {
    name: 'ImagePolicyWebhook',
    byDefault: false,
    does: 'asks a service about the images of a pod',
    async configure(given) {
      // Loaded when asked for: hardly anybody has such a service.
      const { readImagePolicyWebhook } = await import('./image-policy/start.ts');
      const make = await readImagePolicyWebhook(given);
      return ({ runtime, vocabulary, onError }) =>
        make(runtime, vocabulary, (error) => onError('ImagePolicyWebhook', error));
    },
  },
  {
    name: 'PodSecurity',
    byDefault: true,
    does: 'the levels privileged, baseline and restricted',
    configure(given, vocabulary) {
      const configuration = readPodSecurity(given, vocabulary);
      return ({ objects, runtime, recorder }) =>
        new PodSecurity(objects, runtime, vocabulary, configuration, new PodSecurityMetrics(recorder, Number(MINOR)));
    },
  },
  {
    name: 'PodNodeSelector',
    byDefault: false,
    does: "the nodes that a namespace's pods select",
    configure(given, vocabulary) {
      const configured = readNodeSelectors(given);
      return ({ objects }) => podNodeSelector(objects, vocabulary, configured);
    },
  },
  {
    name: 'Priority',
    byDefault: true,
    does: 'the priority that a class stands for',
    make: ({ objects, vocabulary }) => priority(objects, vocabulary.groups.scheduling),
  },
  {
    name: 'DefaultTolerationSeconds',
    byDefault: true,
    does: 'how long pods stay on nodes that went away',
    make: ({ tolerationSeconds, vocabulary }) => defaultTolerationSeconds(tolerationSeconds, vocabulary),
  },
  {
    name: 'PodTolerationRestriction',
    byDefault: false,
    does: "what a namespace's pods tolerate, and may tolerate",
    configure(given, vocabulary) {
      const configured = readUsualTolerations(given, vocabulary);
      return ({ objects }) => podTolerationRestriction(objects, vocabulary, configured);
    },
  },
  {
    name: 'EventRateLimit',
    byDefault: false,
    does: 'a flood of events is answered with 429',
    configure(given, vocabulary) {
      const limits = readEventLimits(given, vocabulary);
      return ({ runtime }) => eventRateLimit(limits, runtime);
    },
  },
  {
    name: 'ExtendedResourceToleration',
    byDefault: false,
    does: 'pods tolerate the taint named after a resource they ask for',
    make: ({ vocabulary }) => extendedResourceToleration(vocabulary),
  },
  {
    name: 'PersistentVolumeLabel',
    byDefault: false,
    does: 'nothing: there is no cloud provider to ask where volumes are',
    make: silent,
  },
  {
    name: 'DefaultStorageClass',
    byDefault: true,
    does: 'the class of claims that name none',
    make: ({ objects, vocabulary }) => defaultStorageClass(objects, vocabulary),
  },
  {
    name: 'StorageObjectInUseProtection',
    byDefault: true,
    does: 'claims and volumes stay while they are in use',
    make: ({ vocabulary }) => storageObjectInUseProtection(vocabulary),
  },
  {
    name: 'OwnerReferencesPermissionEnforcement',
    byDefault: false,
    does: 'owners are set by who may delete, and held up by who may finalize',
    make: ({ may, catalogue }) => new OwnerReferencesPermissionEnforcement(may, catalogue),
  },
  {
    name: 'PersistentVolumeClaimResize',
    byDefault: true,
    does: 'claims grow if their class lets them',
    make: ({ objects, vocabulary }) => persistentVolumeClaimResize(objects, vocabulary),
  },
  {
    name: 'RuntimeClass',
    byDefault: true,
    does: 'overhead and nodes of a runtime',
    make: ({ objects, vocabulary }) => runtimeClass(objects, vocabulary.groups.node),
  },
  {
    name: 'CertificateApproval',
    byDefault: true,
    does: 'approving needs the verb `approve` on the signer',
    make: ({ may }) => certificateApproval(may),
  },
  {
    name: 'CertificateSigning',
    byDefault: true,
    does: 'signing needs the verb `sign` on the signer',
    make: ({ may }) => certificateSigning(may),
  },
  {
    name: 'CertificateSubjectRestriction',
    byDefault: true,
    does: 'no client certificates for `system:masters`',
    make: ({ vocabulary }) => certificateSubjectRestriction(vocabulary),
  },
  {
    name: 'DefaultIngressClass',
    byDefault: true,
    does: 'the class of ingresses that name none',
    make: ({ objects, vocabulary }) => defaultIngressClass(objects, vocabulary),
  },
  {
    name: 'DenyServiceExternalIPs',
    byDefault: false,
    does: 'no new external addresses of services',
    make: denyServiceExternalIPs,
  },
  {
    name: 'MutatingAdmissionPolicy',
    byDefault: true,
    does: 'changes objects as policies say (`docs/admission-policies.md`)',
    make: (sources) => (sources.features.isOn('MutatingAdmissionPolicy') ? new MutatingPolicies(sources) : silent()),
  },
  {
    name: 'MutatingAdmissionWebhook',
    byDefault: true,
    does: 'asks webhooks that may change (`docs/webhooks.md`)',
    async configure(given, vocabulary) {
      const credentials = await readWebhookCredentials(given, vocabulary);
      return (sources) => new MutatingWebhooks(askingParts(sources, credentials, 'admit'));
    },
  },
  {
    name: 'ValidatingAdmissionPolicy',
    byDefault: true,
    does: 'holds requests to policies (`docs/admission-policies.md`)',
    make: (sources) =>
      sources.features.isOn('ValidatingAdmissionPolicy') ? new ValidatingPolicies(sources) : silent(),
  },
  {
    name: 'ValidatingAdmissionWebhook',
    byDefault: true,
    does: 'asks webhooks that may refuse',
    async configure(given, vocabulary) {
      const credentials = await readWebhookCredentials(given, vocabulary);
      return (sources) => new ValidatingWebhooks(askingParts(sources, credentials, 'validating'));
    },
  },
  {
    name: 'ResourceQuota',
    byDefault: true,
    does: 'nothing uses more than the quotas of its namespace allow',
    configure(given, vocabulary) {
      const limited = readLimitedResources(given, vocabulary);
      return ({ quotas }) => new ResourceQuotaPlugin(quotas, limited);
    },
  },
  {
    name: 'AlwaysDeny',
    byDefault: false,
    does: 'refuses everything but what the server needs to come up',
    make: alwaysDeny,
  },
];
