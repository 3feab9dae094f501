import type { Table } from './table.ts';

// biome-ignore format: a table reads best with one row a line
/** Names that stand elsewhere: in requests and answers, tokens and certificates, records and metrics. */
export const PROTOCOL_NAMES = {
  userExtraKeys: {
    podName: ['authentication.platform.io/pod-name', 'authentication.kubernetes.io/pod-name'],
    podUid: ['authentication.platform.io/pod-uid', 'authentication.kubernetes.io/pod-uid'],
  },
  tokenClaims: {
    bound: ['platform.io', 'kubernetes.io'],
    legacyNamespace: ['platform.io/serviceaccount/namespace', 'kubernetes.io/serviceaccount/namespace'],
    legacySecretName: ['platform.io/serviceaccount/secret.name', 'kubernetes.io/serviceaccount/secret.name'],
    legacyServiceAccountName: ['platform.io/serviceaccount/service-account.name', 'kubernetes.io/serviceaccount/service-account.name'],
    legacyServiceAccountUid: ['platform.io/serviceaccount/service-account.uid', 'kubernetes.io/serviceaccount/service-account.uid'],
  },
  tokenIssuers: {
    legacy: ['platform/serviceaccount', 'kubernetes/serviceaccount'],
  },
  auditAnnotations: {
    deprecated: ['platform.io/deprecated', 'k8s.io/deprecated'],
    removedRelease: ['platform.io/removed-release', 'k8s.io/removed-release'],
    decision: ['authorization.platform.io/decision', 'authorization.k8s.io/decision'],
    reason: ['authorization.platform.io/reason', 'authorization.k8s.io/reason'],
    legacyToken: ['authentication.platform.io/legacy-token', 'authentication.k8s.io/legacy-token'],
    staleToken: ['authentication.platform.io/stale-token', 'authentication.k8s.io/stale-token'],
    truncated: ['audit.platform.io/truncated', 'audit.k8s.io/truncated'],
    mutationWebhookPrefix: ['mutation.webhook.admission.platform.io/', 'mutation.webhook.admission.k8s.io/'],
    patchWebhookPrefix: ['patch.webhook.admission.platform.io/', 'patch.webhook.admission.k8s.io/'],
    failedOpenMutationPrefix: ['failed-open.mutation.webhook.admission.platform.io/', 'failed-open.mutation.webhook.admission.k8s.io/'],
    failedOpenValidatingPrefix: ['failed-open.validating.webhook.admission.platform.io/', 'failed-open.validating.webhook.admission.k8s.io/'],
    validatingWebhookPrefix: ['validating.webhook.admission.platform.io/', 'validating.webhook.admission.k8s.io/'],
    policyValidationFailure: ['validation.policy.admission.platform.io/validation_failure', 'validation.policy.admission.k8s.io/validation_failure'],
    latencyEtcd: ['apiserver.latency.platform.io/etcd', 'apiserver.latency.k8s.io/etcd'],
    latencyTotal: ['apiserver.latency.platform.io/total', 'apiserver.latency.k8s.io/total'],
    latencyResponseWrite: ['apiserver.latency.platform.io/response-write', 'apiserver.latency.k8s.io/response-write'],
    latencySerialize: ['apiserver.latency.platform.io/serialize-response-object', 'apiserver.latency.k8s.io/serialize-response-object'],
    latencyTransform: ['apiserver.latency.platform.io/transform-response-object', 'apiserver.latency.k8s.io/transform-response-object'],
    latencyMutatingWebhook: ['apiserver.latency.platform.io/mutating-webhook', 'apiserver.latency.k8s.io/mutating-webhook'],
    latencyValidatingWebhook: ['apiserver.latency.platform.io/validating-webhook', 'apiserver.latency.k8s.io/validating-webhook'],
    podSecurityEnforcePolicy: ['pod-security.platform.io/enforce-policy', 'pod-security.kubernetes.io/enforce-policy'],
    podSecurityAuditViolations: ['pod-security.platform.io/audit-violations', 'pod-security.kubernetes.io/audit-violations'],
    podSecurityExempt: ['pod-security.platform.io/exempt', 'pod-security.kubernetes.io/exempt'],
    podSecurityError: ['pod-security.platform.io/error', 'pod-security.kubernetes.io/error'],
    insecureSha1CertPrefix: ['insecure-sha1.invalid-cert.platform.io/', 'insecure-sha1.invalid-cert.kubernetes.io/'],
    missingSanCertPrefix: ['missing-san.invalid-cert.platform.io/', 'missing-san.invalid-cert.kubernetes.io/'],
    imagePolicyFailedOpen: ['alpha.image-policy.platform.io/failed-open', 'alpha.image-policy.k8s.io/failed-open'],
  },
  websocketProtocols: {
    channel: ['channel.platform.io', 'channel.k8s.io'],
    channelV2: ['v2.channel.platform.io', 'v2.channel.k8s.io'],
    channelV3: ['v3.channel.platform.io', 'v3.channel.k8s.io'],
    channelV4: ['v4.channel.platform.io', 'v4.channel.k8s.io'],
    channelV5: ['v5.channel.platform.io', 'v5.channel.k8s.io'],
    portForward: ['portforward.platform.io', 'portforward.k8s.io'],
    base64Channel: ['base64.channel.platform.io', 'base64.channel.k8s.io'],
    binary: ['binary.platform.io', 'binary.k8s.io'],
    base64Binary: ['base64.binary.platform.io', 'base64.binary.k8s.io'],
    binaryV1: ['v1.binary.platform.io', 'v1.binary.k8s.io'],
    base64BinaryV1: ['v1.base64.binary.platform.io', 'v1.base64.binary.k8s.io'],
    binaryV2: ['v2.binary.platform.io', 'v2.binary.k8s.io'],
    base64BinaryV2: ['v2.base64.binary.platform.io', 'v2.base64.binary.k8s.io'],
    bearerTokenPrefix: ['base64url.bearer.authorization.platform.io.', 'base64url.bearer.authorization.k8s.io.'],
  },
  openapiExtensions: {
    groupVersionKind: ['x-platform-group-version-kind', 'x-kubernetes-group-version-kind'],
    action: ['x-platform-action', 'x-kubernetes-action'],
    listType: ['x-platform-list-type', 'x-kubernetes-list-type'],
    listMapKeys: ['x-platform-list-map-keys', 'x-kubernetes-list-map-keys'],
    mapType: ['x-platform-map-type', 'x-kubernetes-map-type'],
    patchStrategy: ['x-platform-patch-strategy', 'x-kubernetes-patch-strategy'],
    patchMergeKey: ['x-platform-patch-merge-key', 'x-kubernetes-patch-merge-key'],
    unions: ['x-platform-unions', 'x-kubernetes-unions'],
    preserveUnknownFields: ['x-platform-preserve-unknown-fields', 'x-kubernetes-preserve-unknown-fields'],
    embeddedResource: ['x-platform-embedded-resource', 'x-kubernetes-embedded-resource'],
    intOrString: ['x-platform-int-or-string', 'x-kubernetes-int-or-string'],
    validations: ['x-platform-validations', 'x-kubernetes-validations'],
  },
  mediaTypes: {
    protobuf: ['application/vnd.platform.protobuf', 'application/vnd.kubernetes.protobuf'],
    protobufWatch: ['application/vnd.platform.protobuf;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'],
  },
  hostNames: {
    bare: ['platform', 'kubernetes'],
    namespaced: ['platform.default', 'kubernetes.default'],
    service: ['platform.default.svc', 'kubernetes.default.svc'],
    qualified: ['platform.default.svc.cluster.local', 'kubernetes.default.svc.cluster.local'],
    serviceUrl: ['https://platform.default.svc', 'https://kubernetes.default.svc'],
    qualifiedUrl: ['https://platform.default.svc.cluster.local', 'https://kubernetes.default.svc.cluster.local'],
  },
  headers: {
    flowSchemaUid: ['X-Platform-Pf-Flowschema-Uid', 'X-Kubernetes-Pf-Flowschema-Uid'],
    priorityLevelUid: ['X-Platform-Pf-Prioritylevel-Uid', 'X-Kubernetes-Pf-Prioritylevel-Uid'],
  },
  // Where clients find out which plane they are to talk with: a variable that names files, and a folder of the home directory.
  clientConfiguration: {
    variable: ['PLATFORMCONFIG', 'KUBECONFIG'],
    folder: ['.platform', '.kube'],
  },
  stored: {
    encryptedPrefix: ['platform:enc:', 'k8s:enc:'],
  },
  flags: {
    serviceNodePort: ['platform-service-node-port', 'kubernetes-service-node-port'],
  },
  environment: {
    editor: ['PLATFORM_EDITOR', 'KUBE_EDITOR'],
    externalDiff: ['PLATFORMCTL_EXTERNAL_DIFF', 'KUBECTL_EXTERNAL_DIFF'],
    execInfo: ['PLATFORM_EXEC_INFO', 'KUBERNETES_EXEC_INFO'],
    serviceHost: ['PLATFORM_SERVICE_HOST', 'KUBERNETES_SERVICE_HOST'],
    servicePort: ['PLATFORM_SERVICE_PORT', 'KUBERNETES_SERVICE_PORT'],
  },
  product: {
    name: ['Platform', 'Kubernetes'],
  },
  // What people read in descriptions of objects.
  titles: {
    proxyVersion: ['Proxy Version', 'Kube-Proxy Version'],
  },
  healthChecks: {
    admissionInitializer: ['start-apiserver-admission-initializer', 'start-kube-apiserver-admission-initializer'],
  },
  metrics: {
    buildInfo: ['platform_build_info', 'kubernetes_build_info'],
    healthCheck: ['platform_healthcheck', 'kubernetes_healthcheck'],
    healthChecks: ['platform_healthchecks_total', 'kubernetes_healthchecks_total'],
    featureEnabled: ['platform_feature_enabled', 'kubernetes_feature_enabled'],
    clusterIpAllocated: [
      'apiserver_clusterip_allocator_allocated_ips',
      'kube_apiserver_clusterip_allocator_allocated_ips',
    ],
    clusterIpAvailable: [
      'apiserver_clusterip_allocator_available_ips',
      'kube_apiserver_clusterip_allocator_available_ips',
    ],
    clusterIpAllocations: [
      'apiserver_clusterip_allocator_allocation_total',
      'kube_apiserver_clusterip_allocator_allocation_total',
    ],
    clusterIpAllocationErrors: [
      'apiserver_clusterip_allocator_allocation_errors_total',
      'kube_apiserver_clusterip_allocator_allocation_errors_total',
    ],
  },
  // Whom the server's own certificates name; the administrator is also a user of the client configuration.
  certificateNames: {
    authority: ['platform-ca', 'kubernetes'],
    serving: ['platform-apiserver', 'kube-apiserver'],
    administrator: ['platform-admin', 'kubernetes-admin'],
  },
  // The two domains, and what is built on them by rule instead of by row.
  domains: {
    groups: ['platform.io', 'k8s.io'],
    keys: ['platform.io', 'kubernetes.io'],
  },
  prefixes: {
    key: ['platform.io/', 'kubernetes.io/'],
    nodeKey: ['node.platform.io/', 'node.kubernetes.io/'],
    ctlAnnotation: ['ctl.platform.io/', 'kubectl.kubernetes.io/'],
    openapiExtension: ['x-platform-', 'x-kubernetes-'],
    header: ['X-Platform-', 'X-Kubernetes-'],
    environment: ['PLATFORM_', 'KUBERNETES_'],
  },
  definitionPrefixes: {
    api: ['io.platform.api.', 'io.k8s.api.'],
    machinery: ['io.platform.apimachinery.pkg.', 'io.k8s.apimachinery.pkg.'],
    extensions: ['io.platform.apiextensions-apiserver.pkg.', 'io.k8s.apiextensions-apiserver.pkg.'],
    aggregator: ['io.platform.kube-aggregator.pkg.', 'io.k8s.kube-aggregator.pkg.'],
  },
} as const satisfies Table;
