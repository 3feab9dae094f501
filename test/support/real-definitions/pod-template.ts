import { callProfile, containers, id, linuxOptions } from './pod-containers.ts';
import {
  choice,
  flag,
  integer,
  intOrText,
  keyed,
  labelSelector,
  list,
  mapOf,
  name,
  object,
  quantity,
  type Schema,
  set,
  text,
  texts,
} from './schema-parts.ts';

/** Templates of pods and claims as definitions of workloads embed them. */

const requirements = (description: string): Schema =>
  list(
    description,
    object(
      'A requirement.',
      {
        key: text('The label.'),
        operator: choice('How it relates to the values.', ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
        values: list('The values.', { type: 'string' }),
      },
      ['key', 'operator'],
    ),
  );

const nodeTerm = object(
  'Nodes; all requirements hold.',
  {
    matchExpressions: requirements('On labels of the node.'),
    matchFields: requirements('On fields of the node.'),
  },
  [],
  { 'x-platform-map-type': 'atomic' },
);

const weight = integer('How much it counts.', { minimum: 1, maximum: 100 });

const podTerm = object(
  'Pods that are near when they share the topology.',
  {
    labelSelector: labelSelector('The pods.'),
    namespaceSelector: labelSelector('Their namespaces by labels.'),
    namespaces: list('Their namespaces by name.', { type: 'string' }),
    topologyKey: text('The label of nodes that says what near is.', { minLength: 1 }),
  },
  ['topologyKey'],
);

const amongPods = (description: string): Schema =>
  object(description, {
    requiredDuringSchedulingIgnoredDuringExecution: list('What has to hold.', podTerm),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      'What should hold.',
      object('One wish.', { weight, podAffinityTerm: podTerm }, ['weight', 'podAffinityTerm']),
    ),
  });

export const affinity = object('Where it runs.', {
  nodeAffinity: object('By nodes.', {
    requiredDuringSchedulingIgnoredDuringExecution: object(
      'What has to hold; any of the terms.',
      { nodeSelectorTerms: list('The terms.', nodeTerm) },
      ['nodeSelectorTerms'],
      { 'x-platform-map-type': 'atomic' },
    ),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      'What should hold.',
      object('One wish.', { weight, preference: nodeTerm }, ['weight', 'preference']),
    ),
  }),
  podAffinity: amongPods('Near pods.'),
  podAntiAffinity: amongPods('Away from pods.'),
});

export const tolerations = list(
  'Taints of nodes that it bears.',
  object('A taint.', {
    key: text('Its key.'),
    operator: choice('How the value is compared.', ['Exists', 'Equal']),
    value: text('Its value.'),
    effect: choice('Its effect.', ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    tolerationSeconds: { type: 'integer', format: 'int64', description: 'How long it is borne.' },
  }),
);

const topologySpread = keyed(
  'How evenly pods are spread.',
  ['topologyKey', 'whenUnsatisfiable'],
  object(
    'One bound.',
    {
      topologyKey: text('The label of nodes that says what a domain is.'),
      maxSkew: integer('The largest difference between domains.', { minimum: 1 }),
      minDomains: integer('The fewest domains.', { minimum: 1 }),
      whenUnsatisfiable: choice('What happens when it cannot hold.', ['DoNotSchedule', 'ScheduleAnyway']),
      nodeAffinityPolicy: choice('Whether affinity bounds the domains.', ['Honor', 'Ignore']),
      nodeTaintsPolicy: choice('Whether taints bound the domains.', ['Honor', 'Ignore']),
      labelSelector: labelSelector('Pods that are counted.'),
      matchLabelKeys: list('Labels of which the value is that of the pod.', { type: 'string' }),
    },
    ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
  ),
);

const files = list(
  'Keys as files.',
  object('A file.', { key: text('The key.'), path: text('The file.'), mode: integer('Its mode.') }, ['key', 'path']),
);

/** What a claim asks for. */
export const claim = (description: string): Schema =>
  object(description, {
    accessModes: set('How it is mounted.', { type: 'string' }),
    storageClassName: text('Its class.'),
    volumeMode: choice('What it is.', ['Filesystem', 'Block']),
    volumeName: text('The volume that is bound to.'),
    selector: labelSelector('Volumes that are bound to.'),
    resources: object('Its size.', {
      requests: mapOf('The least.', quantity('An amount.')),
      limits: mapOf('The most.', quantity('An amount.')),
    }),
    dataSource: object(
      'What it is filled from.',
      { apiGroup: text('Its group.'), kind: text('Its kind.'), name: text('Its name.') },
      ['kind', 'name'],
      { 'x-platform-map-type': 'atomic' },
    ),
  });

const volumes = keyed(
  'Volumes of its containers.',
  ['name'],
  object(
    'A volume.',
    {
      name: name('Its name within the pod.'),
      emptyDir: object('An empty directory.', { medium: text('Where it is kept.'), sizeLimit: quantity('Its size.') }),
      configMap: object('A ConfigMap.', {
        name: name('Its name.'),
        items: files,
        defaultMode: integer('The mode of files.', { minimum: 0, maximum: 511 }),
        optional: flag('Go on without it.'),
      }),
      secret: object('A Secret.', {
        secretName: name('Its name.'),
        items: files,
        defaultMode: integer('The mode of files.', { minimum: 0, maximum: 511 }),
        optional: flag('Go on without it.'),
      }),
      persistentVolumeClaim: object(
        'A claim.',
        { claimName: name('Its name.'), readOnly: flag('Whether it cannot be written to.') },
        ['claimName'],
      ),
      ephemeral: object('A claim that lives as long as the pod.', {
        volumeClaimTemplate: object('The claim.', { spec: claim('What it asks for.') }, ['spec']),
      }),
      projected: object('Several in one.', {
        defaultMode: integer('The mode of files.'),
        sources: list(
          'The parts.',
          object('A part.', {
            configMap: object('A ConfigMap.', { name: name('Its name.'), items: files }),
            secret: object('A Secret.', { name: name('Its name.'), items: files }),
            serviceAccountToken: object(
              'A token.',
              {
                audience: text('Who it is for.'),
                expirationSeconds: {
                  type: 'integer',
                  format: 'int64',
                  minimum: 600,
                  description: 'How long it holds.',
                },
                path: text('The file.'),
              },
              ['path'],
            ),
          }),
        ),
      }),
    },
    ['name'],
  ),
);

const security = object('What all of its processes may do.', {
  fsGroup: id('The group of volumes.'),
  fsGroupChangePolicy: choice('When volumes change their group.', ['Always', 'OnRootMismatch']),
  runAsNonRoot: flag('Refuse to run as the superuser.'),
  runAsUser: id('Their user.'),
  runAsGroup: id('Their group.'),
  supplementalGroups: list('Further groups.', id('A group.')),
  seLinuxOptions: linuxOptions,
  seccompProfile: callProfile,
  sysctls: list(
    'Parameters of the kernel.',
    object('A parameter.', { name: text('Its name.'), value: text('Its value.') }, ['name', 'value']),
  ),
});

/** The pods of one part of a workload. */
export const podTemplate = (description: string): Schema =>
  object(description, {
    metadata: object('Names of the pods.', {
      labels: texts('Labels.'),
      annotations: texts('Annotations.'),
    }),
    spec: object('The pods.', {
      containers: containers('What runs in them.'),
      initContainers: containers('What runs before, one after the other.'),
      volumes,
      affinity,
      tolerations,
      topologySpreadConstraints: topologySpread,
      nodeSelector: texts('Labels of the node.'),
      nodeName: text('The node.'),
      securityContext: security,
      serviceAccountName: text('Who they are.'),
      automountServiceAccountToken: flag('Whether they have a token of that.'),
      imagePullSecrets: keyed(
        'Secrets to fetch images with.',
        ['name'],
        object('A Secret.', { name: name('Its name.') }, ['name']),
      ),
      hostAliases: keyed(
        'Hosts beside those of the resolver.',
        ['ip'],
        object('An address.', { ip: text('It.'), hostnames: list('Its names.', { type: 'string' }) }, ['ip']),
      ),
      dnsPolicy: choice('How names are resolved.', ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']),
      dnsConfig: object('More about that.', {
        nameservers: list('Servers.', { type: 'string' }),
        searches: list('Domains.', { type: 'string' }),
        options: list('Options.', object('An option.', { name: text('Its name.'), value: text('Its value.') })),
      }),
      priorityClassName: text('How important they are.'),
      schedulerName: text('Who places them.'),
      restartPolicy: choice('When containers are started again.', ['Always', 'OnFailure', 'Never']),
      terminationGracePeriodSeconds: { type: 'integer', format: 'int64', minimum: 0, description: 'Time to stop.' },
      hostNetwork: flag('Whether they have the network of the node.'),
      shareProcessNamespace: flag('Whether containers see processes of each other.'),
      readinessGates: list('Conditions of readiness.', object('One.', { conditionType: text('Its type.') })),
      overhead: mapOf('What it costs to run them.', quantity('An amount.')),
    }),
    disruption: object('How many may be away.', { maxUnavailable: intOrText('A number or a part of all.') }),
  });
