import {
  choice,
  flag,
  integer,
  intOrText,
  keyed,
  list,
  mapOf,
  name,
  object,
  type Properties,
  quantity,
  type Schema,
  secretKey,
  text,
} from './schema-parts.ts';

/** Containers as definitions of workloads embed them: every field of a container, in full, once more. */

const mapKey = (description: string): Schema =>
  object(
    description,
    {
      name: name('The ConfigMap.'),
      key: text('The key within it.'),
      optional: flag('Go on when it is not there.'),
    },
    ['name', 'key'],
    { 'x-platform-map-type': 'atomic' },
  );

const fieldOfPod = object(
  'A field of the pod.',
  {
    apiVersion: text('The version that the path is of.', { default: 'v1' }),
    fieldPath: text('The path of the field.'),
  },
  ['fieldPath'],
  { 'x-platform-map-type': 'atomic' },
);

const amountOfContainer = object(
  'A request or limit of a container.',
  {
    containerName: text('The container; this one when there is none.'),
    resource: text('Which request or limit.'),
    divisor: quantity('The unit that the value is told in.'),
  },
  ['resource'],
  { 'x-platform-map-type': 'atomic' },
);

export const environment = keyed(
  'Variables of the environment.',
  ['name'],
  object(
    'A variable.',
    {
      name: text('Its name.', { minLength: 1 }),
      value: text('Its value; $(NAME) stands for variables before it.'),
      valueFrom: object('Where its value comes from.', {
        configMapKeyRef: mapKey('A key of a ConfigMap.'),
        secretKeyRef: secretKey('A key of a Secret.'),
        fieldRef: fieldOfPod,
        resourceFieldRef: amountOfContainer,
      }),
    },
    ['name'],
  ),
);

const environmentFrom = list(
  'Objects of which every key is a variable.',
  object('One object.', {
    prefix: text('Put before each key.'),
    configMapRef: object('A ConfigMap.', { name: name('Its name.'), optional: flag('Go on without it.') }),
    secretRef: object('A Secret.', { name: name('Its name.'), optional: flag('Go on without it.') }),
  }),
);

export const resources = object('What it may use.', {
  requests: mapOf('What is set aside for it.', quantity('An amount.')),
  limits: mapOf('What it cannot go beyond.', quantity('An amount.')),
  claims: keyed(
    'Devices that it uses.',
    ['name'],
    object('One claim.', { name: text('A claim of the pod.') }, ['name']),
  ),
});

const actions: Properties = {
  exec: object('A command in the container.', { command: list('The command.', { type: 'string' }) }),
  httpGet: object(
    'A request over HTTP.',
    {
      host: text('The host; the address of the pod when there is none.'),
      port: intOrText('Number or name of the port.'),
      path: text('The path.'),
      scheme: choice('The scheme.', ['HTTP', 'HTTPS']),
      httpHeaders: list(
        'Headers of the request.',
        object('A header.', { name: text('Its name.'), value: text('Its value.') }, ['name', 'value']),
      ),
    },
    ['port'],
  ),
  tcpSocket: object('A connection.', { host: text('The host.'), port: intOrText('Number or name of the port.') }, [
    'port',
  ]),
};

const probe = (description: string): Schema =>
  object(description, {
    ...actions,
    grpc: object('A call of the health service.', { port: integer('The port.'), service: text('The service.') }, [
      'port',
    ]),
    initialDelaySeconds: integer('Time after the start before the first.', { minimum: 0 }),
    periodSeconds: integer('Time between two.', { minimum: 1 }),
    timeoutSeconds: integer('Time that one may take.', { minimum: 1 }),
    successThreshold: integer('Successes in a row after a failure.', { minimum: 1 }),
    failureThreshold: integer('Failures in a row after a success.', { minimum: 1 }),
    terminationGracePeriodSeconds: { type: 'integer', format: 'int64', description: 'Time to stop after a failure.' },
  });

export const linuxOptions = object('Labels of the security module.', {
  level: text('The level.'),
  role: text('The role.'),
  type: text('The type.'),
  user: text('The user.'),
});

export const callProfile = object(
  'System calls that are allowed.',
  {
    type: choice('Where the profile comes from.', ['Localhost', 'RuntimeDefault', 'Unconfined']),
    localhostProfile: text('A file of the node.'),
  },
  ['type'],
);

export const id = (description: string): Schema => ({ type: 'integer', format: 'int64', minimum: 0, description });

const security = object('What its processes may do.', {
  allowPrivilegeEscalation: flag('Whether they may gain rights.'),
  privileged: flag('Whether they may do what the node may.'),
  readOnlyRootFilesystem: flag('Whether the image cannot be written to.'),
  runAsNonRoot: flag('Refuse to run as the superuser.'),
  runAsUser: id('Their user.'),
  runAsGroup: id('Their group.'),
  procMount: text('How the process filesystem is mounted.'),
  capabilities: object('Capabilities beside the usual ones.', {
    add: list('More.', { type: 'string' }),
    drop: list('Less.', { type: 'string' }),
  }),
  seLinuxOptions: linuxOptions,
  seccompProfile: callProfile,
});

const ports = keyed(
  'Ports that it listens at.',
  ['containerPort', 'protocol'],
  object(
    'A port.',
    {
      name: text('Its name.', { maxLength: 15 }),
      containerPort: integer('Its number.', { minimum: 1, maximum: 65535 }),
      protocol: choice('Its protocol.', ['TCP', 'UDP', 'SCTP'], { default: 'TCP' }),
      hostPort: integer('The port of the node.', { minimum: 0, maximum: 65535 }),
      hostIP: text('The address of the node.'),
    },
    ['containerPort'],
  ),
);

const mounts = keyed(
  'Volumes in its filesystem.',
  ['mountPath'],
  object(
    'A volume.',
    {
      name: text('The volume of the pod.'),
      mountPath: text('Where it is.', { pattern: '^[^:]+$' }),
      subPath: text('The part of it that is there.'),
      subPathExpr: text('The same, with variables.'),
      readOnly: flag('Whether it cannot be written to.'),
      mountPropagation: choice('Who sees mounts within it.', ['None', 'HostToContainer', 'Bidirectional']),
    },
    ['name', 'mountPath'],
  ),
);

/** Containers of a pod, told apart by name. */
export const containers = (description: string): Schema =>
  keyed(
    description,
    ['name'],
    object(
      'A container.',
      {
        name: name('Its name within the pod.'),
        image: text('Its image.'),
        imagePullPolicy: choice('When the image is fetched.', ['Always', 'IfNotPresent', 'Never']),
        command: list('What runs; the entry point of the image when there is none.', { type: 'string' }),
        args: list('Its arguments.', { type: 'string' }),
        workingDir: text('Its working directory.'),
        env: environment,
        envFrom: environmentFrom,
        ports,
        resources,
        volumeMounts: mounts,
        volumeDevices: keyed(
          'Volumes as devices.',
          ['devicePath'],
          object('A device.', { name: text('The volume.'), devicePath: text('Where it is.') }, ['name', 'devicePath']),
        ),
        livenessProbe: probe('Restarts it when it fails.'),
        readinessProbe: probe('Takes it out of services when it fails.'),
        startupProbe: probe('Holds the others back until it succeeds.'),
        lifecycle: object('What runs at its ends.', {
          postStart: object('After its start.', actions),
          preStop: object('Before its end.', actions),
        }),
        securityContext: security,
        stdin: flag('Whether input is kept open.'),
        stdinOnce: flag('Whether it ends with the first that attaches.'),
        tty: flag('Whether it has a terminal.'),
        terminationMessagePath: text('The file with its last message.'),
        terminationMessagePolicy: choice('Where the last message is from.', ['File', 'FallbackToLogsOnError']),
      },
      ['name'],
    ),
  );
