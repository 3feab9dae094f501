/**
 * The only file that spells identifiers carrying the maker's name or domain. Each row gives the neutral spelling and the
 * original one; a server speaks exactly one column, chosen at start-up with `--vocabulary`.
 *
 * The neutral column has one domain where the original has two, and no rule tells from a neutral name which of them it
 * meant (`node.platform.io/v1` is a group version, `node.platform.io/not-ready` a taint). So names are always taken
 * from their row; text is never translated.
 */
export const vocabularyNames = ['platform', 'kubernetes'] as const;

/** What `--vocabulary` accepts, and what a data directory remembers. */
export type VocabularyName = (typeof vocabularyNames)[number];

type Row = readonly [neutral: string, original: string];
type Table = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** A name that both vocabularies spell alike, though it carries a trace of the maker's. */
const same = (name: string): Row => [name, name];

// Keys of `groups` are the words that type names start with (`flowcontrol.v1beta2.FlowSchema`) where there are such types.
// Keys ending in Prefix or Suffix are not whole names: the caller adds the rest.
// biome-ignore format: a table reads best with one row a line
const table = {
  groups: {
    admissionregistration: ['admissionregistration.platform.io', 'admissionregistration.k8s.io'],
    apidiscovery: ['apidiscovery.platform.io', 'apidiscovery.k8s.io'],
    apiextensions: ['apiextensions.platform.io', 'apiextensions.k8s.io'],
    apiregistration: ['apiregistration.platform.io', 'apiregistration.k8s.io'],
    authentication: ['authentication.platform.io', 'authentication.k8s.io'],
    authorization: ['authorization.platform.io', 'authorization.k8s.io'],
    certificates: ['certificates.platform.io', 'certificates.k8s.io'],
    coordination: ['coordination.platform.io', 'coordination.k8s.io'],
    discovery: ['discovery.platform.io', 'discovery.k8s.io'],
    events: ['events.platform.io', 'events.k8s.io'],
    flowcontrol: ['flowcontrol.apiserver.platform.io', 'flowcontrol.apiserver.k8s.io'],
    networking: ['networking.platform.io', 'networking.k8s.io'],
    node: ['node.platform.io', 'node.k8s.io'],
    rbac: ['rbac.authorization.platform.io', 'rbac.authorization.k8s.io'],
    scheduling: ['scheduling.platform.io', 'scheduling.k8s.io'],
    storage: ['storage.platform.io', 'storage.k8s.io'],
    internalApiserver: ['internal.apiserver.platform.io', 'internal.apiserver.k8s.io'],
    meta: ['meta.platform.io', 'meta.k8s.io'],
    admission: ['admission.platform.io', 'admission.k8s.io'],
    audit: ['audit.platform.io', 'audit.k8s.io'],
    imagepolicy: ['imagepolicy.platform.io', 'imagepolicy.k8s.io'],
    clientAuthentication: ['client.authentication.platform.io', 'client.authentication.k8s.io'],
    metrics: ['metrics.platform.io', 'metrics.k8s.io'],
    customMetrics: ['custom.metrics.platform.io', 'custom.metrics.k8s.io'],
    externalMetrics: ['external.metrics.platform.io', 'external.metrics.k8s.io'],
    snapshotStorage: ['snapshot.storage.platform.io', 'snapshot.storage.k8s.io'],
  },
  configGroups: {
    apiserverConfig: ['apiserver.config.platform.io', 'apiserver.config.k8s.io'],
    apiserver: ['apiserver.platform.io', 'apiserver.k8s.io'],
    eventRateLimit: ['eventratelimit.admission.platform.io', 'eventratelimit.admission.k8s.io'],
    resourceQuota: ['resourcequota.admission.platform.io', 'resourcequota.admission.k8s.io'],
    podTolerationRestriction: ['podtolerationrestriction.admission.platform.io', 'podtolerationrestriction.admission.k8s.io'],
    podSecurity: ['pod-security.admission.config.platform.io', 'pod-security.admission.config.k8s.io'],
    abac: ['abac.authorization.platform.io', 'abac.authorization.kubernetes.io'],
  },
  namespaces: {
    system: ['platform-system', 'kube-system'],
    public: ['platform-public', 'kube-public'],
    nodeLease: ['platform-node-lease', 'kube-node-lease'],
  },
  signers: {
    apiserverClient: ['platform.io/apiserver-client', 'kubernetes.io/kube-apiserver-client'],
    apiserverClientNode: ['platform.io/apiserver-client-node', 'kubernetes.io/kube-apiserver-client-kubelet'],
    nodeServing: ['platform.io/node-serving', 'kubernetes.io/kubelet-serving'],
    legacyUnknown: ['platform.io/legacy-unknown', 'kubernetes.io/legacy-unknown'],
  },
  secretTypes: {
    serviceAccountToken: ['platform.io/service-account-token', 'kubernetes.io/service-account-token'],
    dockercfg: ['platform.io/dockercfg', 'kubernetes.io/dockercfg'],
    dockerconfigjson: ['platform.io/dockerconfigjson', 'kubernetes.io/dockerconfigjson'],
    basicAuth: ['platform.io/basic-auth', 'kubernetes.io/basic-auth'],
    sshAuth: ['platform.io/ssh-auth', 'kubernetes.io/ssh-auth'],
    tls: ['platform.io/tls', 'kubernetes.io/tls'],
    bootstrapToken: ['bootstrap.platform.io/token', 'bootstrap.kubernetes.io/token'],
  },
  finalizers: {
    namespace: ['platform', 'kubernetes'],
    pvcProtection: ['platform.io/pvc-protection', 'kubernetes.io/pvc-protection'],
    pvProtection: ['platform.io/pv-protection', 'kubernetes.io/pv-protection'],
    jobTracking: ['batch.platform.io/job-tracking', 'batch.kubernetes.io/job-tracking'],
    customResourceCleanup: ['customresourcecleanup.apiextensions.platform.io', 'customresourcecleanup.apiextensions.k8s.io'],
    loadBalancerCleanup: ['service.platform.io/load-balancer-cleanup', 'service.kubernetes.io/load-balancer-cleanup'],
    externalProvisioner: ['external-provisioner.volume.platform.io/finalizer', 'external-provisioner.volume.kubernetes.io/finalizer'],
  },
  taints: {
    notReady: ['node.platform.io/not-ready', 'node.kubernetes.io/not-ready'],
    unreachable: ['node.platform.io/unreachable', 'node.kubernetes.io/unreachable'],
    unschedulable: ['node.platform.io/unschedulable', 'node.kubernetes.io/unschedulable'],
    memoryPressure: ['node.platform.io/memory-pressure', 'node.kubernetes.io/memory-pressure'],
    diskPressure: ['node.platform.io/disk-pressure', 'node.kubernetes.io/disk-pressure'],
    pidPressure: ['node.platform.io/pid-pressure', 'node.kubernetes.io/pid-pressure'],
    networkUnavailable: ['node.platform.io/network-unavailable', 'node.kubernetes.io/network-unavailable'],
    outOfService: ['node.platform.io/out-of-service', 'node.kubernetes.io/out-of-service'],
    cloudUninitialized: ['node.cloudprovider.platform.io/uninitialized', 'node.cloudprovider.kubernetes.io/uninitialized'],
    cloudShutdown: ['node.cloudprovider.platform.io/shutdown', 'node.cloudprovider.kubernetes.io/shutdown'],
    controlPlane: ['node-role.platform.io/control-plane', 'node-role.kubernetes.io/control-plane'],
    master: ['node-role.platform.io/master', 'node-role.kubernetes.io/master'],
  },
  labels: {
    metadataName: ['platform.io/metadata.name', 'kubernetes.io/metadata.name'],
    bootstrapping: ['platform.io/bootstrapping', 'kubernetes.io/bootstrapping'],
    serviceName: ['platform.io/service-name', 'kubernetes.io/service-name'],
    hostname: ['platform.io/hostname', 'kubernetes.io/hostname'],
    arch: ['platform.io/arch', 'kubernetes.io/arch'],
    os: ['platform.io/os', 'kubernetes.io/os'],
    role: ['platform.io/role', 'kubernetes.io/role'],
    clusterService: ['platform.io/cluster-service', 'kubernetes.io/cluster-service'],
    betaArch: ['beta.platform.io/arch', 'beta.kubernetes.io/arch'],
    betaOs: ['beta.platform.io/os', 'beta.kubernetes.io/os'],
    betaInstanceType: ['beta.platform.io/instance-type', 'beta.kubernetes.io/instance-type'],
    instanceType: ['node.platform.io/instance-type', 'node.kubernetes.io/instance-type'],
    windowsBuild: ['node.platform.io/windows-build', 'node.kubernetes.io/windows-build'],
    excludeFromExternalLoadBalancers: ['node.platform.io/exclude-from-external-load-balancers', 'node.kubernetes.io/exclude-from-external-load-balancers'],
    excludeDisruption: ['node.platform.io/exclude-disruption', 'node.kubernetes.io/exclude-disruption'],
    zone: ['topology.platform.io/zone', 'topology.kubernetes.io/zone'],
    region: ['topology.platform.io/region', 'topology.kubernetes.io/region'],
    betaZone: ['failure-domain.beta.platform.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
    betaRegion: ['failure-domain.beta.platform.io/region', 'failure-domain.beta.kubernetes.io/region'],
    nodeRestrictionPrefix: ['node-restriction.platform.io/', 'node-restriction.kubernetes.io/'],
    kubeletPrefix: ['kubelet.platform.io/', 'kubelet.kubernetes.io/'],
    nodeRolePrefix: ['node-role.platform.io/', 'node-role.kubernetes.io/'],
    appName: ['app.platform.io/name', 'app.kubernetes.io/name'],
    appInstance: ['app.platform.io/instance', 'app.kubernetes.io/instance'],
    appVersion: ['app.platform.io/version', 'app.kubernetes.io/version'],
    appComponent: ['app.platform.io/component', 'app.kubernetes.io/component'],
    appPartOf: ['app.platform.io/part-of', 'app.kubernetes.io/part-of'],
    appManagedBy: ['app.platform.io/managed-by', 'app.kubernetes.io/managed-by'],
    appCreatedBy: ['app.platform.io/created-by', 'app.kubernetes.io/created-by'],
    headless: ['service.platform.io/headless', 'service.kubernetes.io/headless'],
    serviceProxyName: ['service.platform.io/service-proxy-name', 'service.kubernetes.io/service-proxy-name'],
    endpointSliceManagedBy: ['endpointslice.platform.io/managed-by', 'endpointslice.kubernetes.io/managed-by'],
    endpointSliceSkipMirror: ['endpointslice.platform.io/skip-mirror', 'endpointslice.kubernetes.io/skip-mirror'],
    statefulSetPodName: ['statefulset.platform.io/pod-name', 'statefulset.kubernetes.io/pod-name'],
    aggregateToAdmin: ['rbac.authorization.platform.io/aggregate-to-admin', 'rbac.authorization.k8s.io/aggregate-to-admin'],
    aggregateToEdit: ['rbac.authorization.platform.io/aggregate-to-edit', 'rbac.authorization.k8s.io/aggregate-to-edit'],
    aggregateToView: ['rbac.authorization.platform.io/aggregate-to-view', 'rbac.authorization.k8s.io/aggregate-to-view'],
    automanaged: ['kube-aggregator.platform.io/automanaged', 'kube-aggregator.kubernetes.io/automanaged'],
    podSecurityEnforce: ['pod-security.platform.io/enforce', 'pod-security.kubernetes.io/enforce'],
    podSecurityEnforceVersion: ['pod-security.platform.io/enforce-version', 'pod-security.kubernetes.io/enforce-version'],
    podSecurityAudit: ['pod-security.platform.io/audit', 'pod-security.kubernetes.io/audit'],
    podSecurityAuditVersion: ['pod-security.platform.io/audit-version', 'pod-security.kubernetes.io/audit-version'],
    podSecurityWarn: ['pod-security.platform.io/warn', 'pod-security.kubernetes.io/warn'],
    podSecurityWarnVersion: ['pod-security.platform.io/warn-version', 'pod-security.kubernetes.io/warn-version'],
  },
  annotations: {
    lastAppliedConfiguration: ['ctl.platform.io/last-applied-configuration', 'kubectl.kubernetes.io/last-applied-configuration'],
    restartedAt: ['ctl.platform.io/restartedAt', 'kubectl.kubernetes.io/restartedAt'],
    defaultContainer: ['ctl.platform.io/default-container', 'kubectl.kubernetes.io/default-container'],
    initialEventsEnd: ['platform.io/initial-events-end', 'k8s.io/initial-events-end'],
    description: ['platform.io/description', 'kubernetes.io/description'],
    serviceAccountName: ['platform.io/service-account.name', 'kubernetes.io/service-account.name'],
    serviceAccountUid: ['platform.io/service-account.uid', 'kubernetes.io/service-account.uid'],
    enforceMountableSecrets: ['platform.io/enforce-mountable-secrets', 'kubernetes.io/enforce-mountable-secrets'],
    configMirror: ['platform.io/config.mirror', 'kubernetes.io/config.mirror'],
    configHash: ['platform.io/config.hash', 'kubernetes.io/config.hash'],
    configSeen: ['platform.io/config.seen', 'kubernetes.io/config.seen'],
    configSource: ['platform.io/config.source', 'kubernetes.io/config.source'],
    ingressClass: ['platform.io/ingress.class', 'kubernetes.io/ingress.class'],
    limitRanger: ['platform.io/limit-ranger', 'kubernetes.io/limit-ranger'],
    changeCause: ['platform.io/change-cause', 'kubernetes.io/change-cause'],
    podSecurityPolicy: ['platform.io/psp', 'kubernetes.io/psp'],
    rbacAutoupdate: ['rbac.authorization.platform.io/autoupdate', 'rbac.authorization.kubernetes.io/autoupdate'],
    flowAutoupdateSpec: ['apf.platform.io/autoupdate-spec', 'apf.kubernetes.io/autoupdate-spec'],
    apiApproved: ['api-approved.platform.io', 'api-approved.kubernetes.io'],
    jobCompletionIndex: ['batch.platform.io/job-completion-index', 'batch.kubernetes.io/job-completion-index'],
    jobTracking: ['batch.platform.io/job-tracking', 'batch.kubernetes.io/job-tracking'],
    autoscalingMetrics: ['autoscaling.alpha.platform.io/metrics', 'autoscaling.alpha.kubernetes.io/metrics'],
    autoscalingCurrentMetrics: ['autoscaling.alpha.platform.io/current-metrics', 'autoscaling.alpha.kubernetes.io/current-metrics'],
    autoscalingConditions: ['autoscaling.alpha.platform.io/conditions', 'autoscaling.alpha.kubernetes.io/conditions'],
    autoscalingBehavior: ['autoscaling.alpha.platform.io/behavior', 'autoscaling.alpha.kubernetes.io/behavior'],
    podDeletionCost: ['controller.platform.io/pod-deletion-cost', 'controller.kubernetes.io/pod-deletion-cost'],
    deploymentRevision: ['deployment.platform.io/revision', 'deployment.kubernetes.io/revision'],
    deploymentRevisionHistory: ['deployment.platform.io/revision-history', 'deployment.kubernetes.io/revision-history'],
    deploymentDesiredReplicas: ['deployment.platform.io/desired-replicas', 'deployment.kubernetes.io/desired-replicas'],
    deploymentMaxReplicas: ['deployment.platform.io/max-replicas', 'deployment.kubernetes.io/max-replicas'],
    endpointsLastChangeTriggerTime: ['endpoints.platform.io/last-change-trigger-time', 'endpoints.kubernetes.io/last-change-trigger-time'],
    endpointsOverCapacity: ['endpoints.platform.io/over-capacity', 'endpoints.kubernetes.io/over-capacity'],
    defaultIngressClass: ['ingressclass.platform.io/is-default-class', 'ingressclass.kubernetes.io/is-default-class'],
    defaultStorageClass: ['storageclass.platform.io/is-default-class', 'storageclass.kubernetes.io/is-default-class'],
    betaDefaultStorageClass: ['storageclass.beta.platform.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'],
    betaStorageClass: ['volume.beta.platform.io/storage-class', 'volume.beta.kubernetes.io/storage-class'],
    betaStorageProvisioner: ['volume.beta.platform.io/storage-provisioner', 'volume.beta.kubernetes.io/storage-provisioner'],
    betaMountOptions: ['volume.beta.platform.io/mount-options', 'volume.beta.kubernetes.io/mount-options'],
    storageProvisioner: ['volume.platform.io/storage-provisioner', 'volume.kubernetes.io/storage-provisioner'],
    selectedNode: ['volume.platform.io/selected-node', 'volume.kubernetes.io/selected-node'],
    bindCompleted: ['pv.platform.io/bind-completed', 'pv.kubernetes.io/bind-completed'],
    boundByController: ['pv.platform.io/bound-by-controller', 'pv.kubernetes.io/bound-by-controller'],
    provisionedBy: ['pv.platform.io/provisioned-by', 'pv.kubernetes.io/provisioned-by'],
    migratedTo: ['pv.platform.io/migrated-to', 'pv.kubernetes.io/migrated-to'],
    migratedPlugins: ['storage.alpha.platform.io/migrated-plugins', 'storage.alpha.kubernetes.io/migrated-plugins'],
    nodeTtl: ['node.alpha.platform.io/ttl', 'node.alpha.kubernetes.io/ttl'],
    providedNodeIp: ['alpha.platform.io/provided-node-ip', 'alpha.kubernetes.io/provided-node-ip'],
    namespaceNodeSelector: ['scheduler.alpha.platform.io/node-selector', 'scheduler.alpha.kubernetes.io/node-selector'],
    namespaceDefaultTolerations: ['scheduler.alpha.platform.io/defaultTolerations', 'scheduler.alpha.kubernetes.io/defaultTolerations'],
    namespaceTolerationsWhitelist: ['scheduler.alpha.platform.io/tolerationsWhitelist', 'scheduler.alpha.kubernetes.io/tolerationsWhitelist'],
    preferAvoidPods: ['scheduler.alpha.platform.io/preferAvoidPods', 'scheduler.alpha.kubernetes.io/preferAvoidPods'],
    alphaTaints: ['scheduler.alpha.platform.io/taints', 'scheduler.alpha.kubernetes.io/taints'],
    alphaTolerations: ['scheduler.alpha.platform.io/tolerations', 'scheduler.alpha.kubernetes.io/tolerations'],
    seccompPod: ['seccomp.security.alpha.platform.io/pod', 'seccomp.security.alpha.kubernetes.io/pod'],
    seccompContainerPrefix: ['container.seccomp.security.alpha.platform.io/', 'container.seccomp.security.alpha.kubernetes.io/'],
    appArmorContainerPrefix: ['container.apparmor.security.beta.platform.io/', 'container.apparmor.security.beta.kubernetes.io/'],
    loadBalancerSourceRanges: ['service.beta.platform.io/load-balancer-source-ranges', 'service.beta.kubernetes.io/load-balancer-source-ranges'],
    topologyAwareHints: ['service.platform.io/topology-aware-hints', 'service.kubernetes.io/topology-aware-hints'],
    emptySelectorMatch: ['pdb.platform.io/deprecated-v1beta1-empty-selector-match', 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match'],
    configIndex: ['internal.config.platform.io/index', 'internal.config.kubernetes.io/index'],
  },
  resourceNames: {
    storageClassRequestsSuffix: ['storageclass.storage.platform.io/requests.storage', 'storageclass.storage.k8s.io/requests.storage'],
    storageClassClaimsSuffix: ['storageclass.storage.platform.io/persistentvolumeclaims', 'storageclass.storage.k8s.io/persistentvolumeclaims'],
  },
  provisioners: {
    none: ['platform.io/no-provisioner', 'kubernetes.io/no-provisioner'],
    awsEbs: ['platform.io/aws-ebs', 'kubernetes.io/aws-ebs'],
    gcePd: ['platform.io/gce-pd', 'kubernetes.io/gce-pd'],
    glusterfs: ['platform.io/glusterfs', 'kubernetes.io/glusterfs'],
    azureDisk: ['platform.io/azure-disk', 'kubernetes.io/azure-disk'],
    azureFile: ['platform.io/azure-file', 'kubernetes.io/azure-file'],
    cinder: ['platform.io/cinder', 'kubernetes.io/cinder'],
    vsphereVolume: ['platform.io/vsphere-volume', 'kubernetes.io/vsphere-volume'],
    rbd: ['platform.io/rbd', 'kubernetes.io/rbd'],
    portworxVolume: ['platform.io/portworx-volume', 'kubernetes.io/portworx-volume'],
  },
  endpointSliceControllers: {
    endpointSlice: ['endpointslice-controller.platform.io', 'endpointslice-controller.k8s.io'],
    mirroring: ['endpointslicemirroring-controller.platform.io', 'endpointslicemirroring-controller.k8s.io'],
  },
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
  clusterRoleNames: {
    nodeClient: ['system:certificates.platform.io:certificatesigningrequests:nodeclient', 'system:certificates.k8s.io:certificatesigningrequests:nodeclient'],
    selfNodeClient: ['system:certificates.platform.io:certificatesigningrequests:selfnodeclient', 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient'],
    apiserverClientApprover: ['system:certificates.platform.io:kube-apiserver-client-approver', 'system:certificates.k8s.io:kube-apiserver-client-approver'],
    apiserverClientNodeApprover: ['system:certificates.platform.io:kube-apiserver-client-kubelet-approver', 'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver'],
    nodeServingApprover: ['system:certificates.platform.io:kubelet-serving-approver', 'system:certificates.k8s.io:kubelet-serving-approver'],
    legacyUnknownApprover: ['system:certificates.platform.io:legacy-unknown-approver', 'system:certificates.k8s.io:legacy-unknown-approver'],
  },
  paths: {
    serviceAccountMount: ['/var/run/secrets/platform.io/serviceaccount', '/var/run/secrets/kubernetes.io/serviceaccount'],
  },
  objects: {
    defaultService: ['platform', 'kubernetes'],
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
  environment: {
    execInfo: ['PLATFORM_EXEC_INFO', 'KUBERNETES_EXEC_INFO'],
    serviceHost: ['PLATFORM_SERVICE_HOST', 'KUBERNETES_SERVICE_HOST'],
    servicePort: ['PLATFORM_SERVICE_PORT', 'KUBERNETES_SERVICE_PORT'],
  },
  product: {
    name: ['Platform', 'Kubernetes'],
  },
  healthChecks: {
    admissionInitializer: ['start-apiserver-admission-initializer', 'start-kube-apiserver-admission-initializer'],
  },
  metrics: {
    buildInfo: ['platform_build_info', 'kubernetes_build_info'],
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

  // Names of processes, used as field managers, leases, flow schemas and service names.
  components: {
    apiserver: same('kube-apiserver'),
    controllerManager: same('kube-controller-manager'),
    scheduler: same('kube-scheduler'),
    dns: same('kube-dns'),
  },
  // Users, and the roles and bindings named after them.
  systemNames: {
    aggregator: same('system:kube-aggregator'),
    controllerManager: same('system:kube-controller-manager'),
    dns: same('system:kube-dns'),
    proxy: same('system:kube-proxy'),
    scheduler: same('system:kube-scheduler'),
    nodeApiAdmin: same('system:kubelet-api-admin'),
    leaderLockingControllerManager: same('system::leader-locking-kube-controller-manager'),
    leaderLockingScheduler: same('system::leader-locking-kube-scheduler'),
  },
  wellKnown: {
    rootCaConfigMap: same('kube-root-ca.crt'),
    apiAccessVolumePrefix: same('kube-api-access-'),
    systemServiceAccountsFlowSchema: same('kube-system-service-accounts'),
    clusterInfoKey: same('kubeconfig'),
    clusterInfoSignaturePrefix: same('jws-kubeconfig-'),
  },
} as const satisfies Table;

type Column<T extends Table> = { readonly [G in keyof T]: { readonly [N in keyof T[G]]: string } };

/** One column of the table, `v.groups.rbac` and the like, frozen; a new row needs no declaration but itself. */
export interface Vocabulary extends Column<typeof table> {
  readonly name: VocabularyName;
  /**
   * Whether a domain (an API group, or what stands before the slash of a key) is the maker's own: one of `domains` or
   * below it. Others may use such a domain only where a rule lets them.
   */
  reserves(domain: string): boolean;
}

// The overload states what the entries cannot: the column has the keys of the table.
function column<T extends Table>(rows: T, index: 0 | 1): Column<T>;
function column(rows: Table, index: 0 | 1): Column<Table> {
  const groups = Object.entries(rows).map(([group, names]) => {
    const spelled = Object.entries(names).map(([name, row]) => [name, row[index]] as const);
    return [group, Object.freeze(Object.fromEntries(spelled))] as const;
  });
  return Object.fromEntries(groups);
}

const isWithin = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

function vocabulary(name: VocabularyName, index: 0 | 1): Vocabulary {
  const names = column(table, index);
  const { groups, keys } = names.domains;
  return Object.freeze({
    ...names,
    name,
    reserves: (domain: string) => isWithin(domain, groups) || isWithin(domain, keys),
  });
}

export const vocabularies: Readonly<Record<VocabularyName, Vocabulary>> = Object.freeze({
  platform: vocabulary('platform', 0),
  kubernetes: vocabulary('kubernetes', 1),
});

/** The vocabulary a flag or a data directory names; throws when there is none of that name. */
export function vocabularyNamed(name: string): Vocabulary {
  const known = vocabularyNames.find((candidate) => candidate === name);
  if (known === undefined) {
    throw new Error(`unknown vocabulary "${name}": choose one of ${vocabularyNames.join(', ')}`);
  }
  return vocabularies[known];
}
