import { describe, it } from 'vitest';
import { container, once, pod, probe, refuses, withContainer } from '../../../../test/pods.ts';

describe('a container', () => {
  const at = 'spec.containers[0]';

  it.each([
    [{ name: '' }, `Required ${at}.name`],
    [{ name: 'a.b' }, `Invalid ${at}.name`],
    [{ image: '' }, `Required ${at}.image`],
    [{ image: ' i' }, `Invalid ${at}.image`],
    [{ imagePullPolicy: 'Often' }, `NotSupported ${at}.imagePullPolicy`],
    [{ terminationMessagePolicy: 'Shout' }, `NotSupported ${at}.terminationMessagePolicy`],
    [{ ports: [{ containerPort: 0, protocol: 'TCP' }] }, `Required ${at}.ports[0].containerPort`],
    [{ ports: [{ containerPort: 70000, protocol: 'TCP' }] }, `Invalid ${at}.ports[0].containerPort`],
    [{ ports: [{ containerPort: 1, hostPort: 70000, protocol: 'TCP' }] }, `Invalid ${at}.ports[0].hostPort`],
    [{ ports: [{ containerPort: 1, name: 'A', protocol: 'TCP' }] }, `Invalid ${at}.ports[0].name`],
    [{ ports: [{ containerPort: 1, protocol: 'X' }] }, `NotSupported ${at}.ports[0].protocol`],
    [
      {
        ports: [
          { containerPort: 1, name: 'a', protocol: 'TCP' },
          { containerPort: 2, name: 'a', protocol: 'TCP' },
        ],
      },
      `Duplicate ${at}.ports[1].name`,
    ],
    [
      {
        ports: [
          { containerPort: 1, hostPort: 5, protocol: 'TCP' },
          { containerPort: 2, hostPort: 5, protocol: 'TCP' },
        ],
      },
      `Duplicate ${at}.ports[1].hostPort`,
    ],
    [{ env: [{ value: 'x' }] }, `Required ${at}.env[0].name`],
    [{ env: [{ name: '1' }] }, `Invalid ${at}.env[0].name`],
    [{ env: [{ name: 'A', valueFrom: {} }] }, `Invalid ${at}.env[0].valueFrom`],
    [
      { env: [{ name: 'A', value: 'b', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
      `Invalid ${at}.env[0].valueFrom`,
    ],
    [
      {
        env: [
          { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' }, configMapKeyRef: { name: 's', key: 'k' } } },
        ],
      },
      `Invalid ${at}.env[0].valueFrom`,
    ],
    [
      { env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.phase' } } }] },
      `NotSupported ${at}.env[0].valueFrom.fieldRef.fieldPath`,
    ],
    [
      { env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nonsense' } } }] },
      `Invalid ${at}.env[0].valueFrom.fieldRef.fieldPath`,
    ],
    [
      { env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.labels['a b']" } } }] },
      `Invalid ${at}.env[0].valueFrom.fieldRef`,
    ],
    [
      { env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } } }] },
      `Invalid ${at}.env[0].valueFrom.fieldRef.fieldPath`,
    ],
    [
      { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.nonsense' } } }] },
      `NotSupported ${at}.env[0].valueFrom.resourceFieldRef.resource`,
    ],
    [
      { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } }] },
      `Invalid ${at}.env[0].valueFrom.resourceFieldRef.divisor`,
    ],
    [
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: '', key: 'k' } } }] },
      `Invalid ${at}.env[0].valueFrom.secretKeyRef.name`,
    ],
    [
      { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: '' } } }] },
      `Required ${at}.env[0].valueFrom.configMapKeyRef.key`,
    ],
    [
      { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'a b' } } }] },
      `Invalid ${at}.env[0].valueFrom.configMapKeyRef.key`,
    ],
    [{ envFrom: [{}] }, `Invalid ${at}.envFrom`],
    [{ envFrom: [{ configMapRef: { name: 'c' }, secretRef: { name: 's' } }] }, `Invalid ${at}.envFrom`],
    [{ envFrom: [{ prefix: '1', secretRef: { name: 's' } }] }, `Invalid ${at}.envFrom[0].prefix`],
    [{ envFrom: [{ secretRef: {} }] }, `Required ${at}.envFrom[0].secretRef.name`],
    [{ volumeMounts: [{ name: 'v', mountPath: '/x' }] }, `NotFound ${at}.volumeMounts[0].name`],
    [{ volumeDevices: [{ name: 'v', devicePath: '/x' }] }, `NotFound ${at}.volumeDevices[0].name`],
  ])('with %j is refused', (fields, cause) => {
    refuses(withContainer(fields), cause);
  });

  it('has a name of its own', () => {
    refuses(pod({ containers: [container, container] }), 'Duplicate spec.containers[1].name');
    refuses(pod({ initContainers: [container] }), 'Duplicate spec.initContainers[0].name');
  });

  it.each([
    [[{ name: 'e', mountPath: '' }], `Required ${at}.volumeMounts[0].mountPath`],
    [
      [
        { name: 'e', mountPath: '/a' },
        { name: 'e', mountPath: '/a' },
      ],
      `Invalid ${at}.volumeMounts[1].mountPath`,
    ],
    [[{ name: 'e', mountPath: '/a', subPath: '/b' }], `Invalid ${at}.volumeMounts.subPath`],
    [[{ name: 'e', mountPath: '/a', subPathExpr: '../b' }], `Invalid ${at}.volumeMounts.subPathExpr`],
    [[{ name: 'e', mountPath: '/a', subPath: 'b', subPathExpr: 'b' }], `Invalid ${at}.volumeMounts[0].subPathExpr`],
    [[{ name: 'e', mountPath: '/a', mountPropagation: 'Odd' }], `NotSupported ${at}.volumeMounts.mountPropagation`],
    [
      [{ name: 'e', mountPath: '/a', mountPropagation: 'Bidirectional' }],
      `Forbidden ${at}.volumeMounts.mountPropagation`,
    ],
  ])('with mounts %j is refused', (volumeMounts, cause) => {
    refuses(withContainer({ volumeMounts }, { volumes: [{ name: 'e', emptyDir: {} }] }), cause);
  });

  it.each([
    [{ volumeDevices: [{ name: 'e', devicePath: '/a' }] }, `Invalid ${at}.volumeDevices[0].name`],
    [{ volumeDevices: [{ name: 'c', devicePath: '' }] }, `Required ${at}.volumeDevices[0].devicePath`],
    [{ volumeDevices: [{ name: 'c', devicePath: '/a/../b' }] }, `Invalid ${at}.volumeDevices[0].devicePath`],
    [
      {
        volumeDevices: [
          { name: 'c', devicePath: '/a' },
          { name: 'c', devicePath: '/b' },
        ],
      },
      `Invalid ${at}.volumeDevices[1].name`,
    ],
  ])('with %j is refused', (fields, cause) => {
    const volumes = [
      { name: 'e', emptyDir: {} },
      { name: 'c', persistentVolumeClaim: { claimName: 'c' } },
    ];
    refuses(withContainer(fields, { volumes }), cause);
  });

  it('uses a volume as a device or mounts it, not both', () => {
    const fields = {
      volumeMounts: [{ name: 'c', mountPath: '/a' }],
      volumeDevices: [{ name: 'c', devicePath: '/a' }],
    };
    const both = [
      'volumeMounts[0].name',
      'volumeMounts[0].mountPath',
      'volumeDevices[0].name',
      'volumeDevices[0].devicePath',
    ];
    refuses(
      withContainer(fields, { volumes: [{ name: 'c', persistentVolumeClaim: { claimName: 'c' } }] }),
      ...both.map((field) => `Invalid ${at}.${field}`),
    );
  });

  it.each(['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'])('that comes first has no %s', (field) => {
    const value = field === 'lifecycle' ? { preStop: { exec: { command: ['a'] } } } : once;
    refuses(
      pod({ initContainers: [{ ...container, name: 'i', [field]: value }] }),
      `Forbidden spec.initContainers[0].${field}`,
    );
  });
});

describe('resources of a container', () => {
  const at = 'spec.containers[0].resources';

  it.each([
    [{ requests: { cpu: '2' }, limits: { cpu: '1' } }, `Invalid ${at}.requests`],
    [{ requests: { cpu: '-1' } }, `Invalid ${at}.requests[cpu]`],
    [{ requests: { nonsense: '1' } }, `Invalid ${at}.requests[nonsense]`],
    [{ requests: { pods: '1' } }, `Invalid ${at}.requests[pods]`],
    [{ limits: { 'a b/c': '1' } }, [`Invalid ${at}.limits[a b/c]`, `Invalid ${at}.requests[a b/c]`]],
    [
      { limits: { 'example.com/gpu': '500m' } },
      [`Invalid ${at}.limits[example.com/gpu]`, `Invalid ${at}.requests[example.com/gpu]`],
    ],
    [{ requests: { 'example.com/gpu': '1' } }, `Required ${at}.limits`],
    [{ requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '2' } }, `Invalid ${at}.requests`],
    [{ limits: { 'hugepages-2Mi': '4Mi' } }, `Forbidden ${at}`],
    [
      { limits: { cpu: '1', 'hugepages-2Mi': '3Mi' } },
      [`Invalid ${at}.limits[hugepages-2Mi]`, `Invalid ${at}.requests[hugepages-2Mi]`],
    ],
  ])('like %j are refused', (resources, cause) => {
    refuses(withContainer({ resources }), ...[cause].flat());
  });
});

describe('a probe', () => {
  const at = 'spec.containers[0].readinessProbe';

  it.each([
    [{}, `Required ${at}`],
    [{ exec: {} }, `Required ${at}.exec.command`],
    [{ httpGet: { port: 80, scheme: 'HTTP', path: '' } }, []],
    [{ httpGet: { path: '/', port: 0, scheme: 'HTTP' } }, `Invalid ${at}.httpGet.port`],
    [{ httpGet: { path: '/', port: 'HTTP', scheme: 'HTTP' } }, `Invalid ${at}.httpGet.port`],
    [{ httpGet: { path: '/', port: 80, scheme: 'FTP' } }, `NotSupported ${at}.httpGet.scheme`],
    [
      { httpGet: { path: '/', port: 80, scheme: 'HTTP', httpHeaders: [{ name: 'a b', value: '' }] } },
      `Invalid ${at}.httpGet.httpHeaders`,
    ],
    [{ tcpSocket: { port: 70000 } }, `Invalid ${at}.tcpSocket.port`],
    [{ grpc: { port: 0 } }, `Invalid ${at}.grpc.port`],
    [{ exec: { command: ['a'] }, tcpSocket: { port: 1 } }, `Forbidden ${at}.tcpSocket`],
    [{ ...probe, initialDelaySeconds: -1 }, `Invalid ${at}.initialDelaySeconds`],
    [{ ...probe, timeoutSeconds: -1 }, `Invalid ${at}.timeoutSeconds`],
    [{ ...probe, periodSeconds: -1 }, `Invalid ${at}.periodSeconds`],
    [{ ...probe, failureThreshold: -1 }, `Invalid ${at}.failureThreshold`],
    [{ ...probe, terminationGracePeriodSeconds: 5 }, `Invalid ${at}.terminationGracePeriodSeconds`],
  ])('like %j: %s', (readinessProbe, cause) => {
    refuses(withContainer({ readinessProbe }), ...[cause].flat());
  });

  it.each(['livenessProbe', 'startupProbe'])('for %s succeeds at once, and gives time to end', (field) => {
    const path = `spec.containers[0].${field}`;
    refuses(withContainer({ [field]: { ...probe, successThreshold: 2 } }), `Invalid ${path}.successThreshold`);
    refuses(
      withContainer({ [field]: { ...once, terminationGracePeriodSeconds: 0 } }),
      `Invalid ${path}.terminationGracePeriodSeconds`,
    );
  });

  it('or hook has a handler', () => {
    refuses(withContainer({ lifecycle: { preStop: {} } }), 'Required spec.containers[0].lifecycle.preStop');
    refuses(withContainer({ lifecycle: { postStart: {} } }), 'Required spec.containers[0].lifecycle.postStart');
  });
});
