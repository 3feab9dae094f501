import { describe, expect, it } from 'vitest';
import { container, once, pod, probe, refuses, withContainer } from '../../../../test/pods.ts';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { Pod } from './pod.ts';
import { validateEphemeralContainersUpdate, validatePod, validatePodUpdate } from './pod-validation.ts';

const rich = pod(
  {
    volumes: [
      { name: 'empty', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'host', hostPath: { path: '/a', type: 'Directory' } },
      {
        name: 'secret',
        secret: { secretName: 's', defaultMode: 0o644, items: [{ key: 'k', path: 'a/b', mode: 0o400 }] },
      },
      { name: 'config', configMap: { name: 'c' } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'c' } },
      {
        name: 'facts',
        downwardAPI: { items: [{ path: 'l', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } }] },
      },
      {
        name: 'many',
        projected: {
          sources: [
            { secret: { name: 's', items: [{ key: 'k', path: 'a' }] } },
            { configMap: { name: 'c', items: [{ key: 'k', path: 'b' }] } },
            { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
          ],
        },
      },
      {
        name: 'made',
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { a: 'b' } },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      },
    ],
    initContainers: [{ ...container, name: 'init' }],
    containers: [
      {
        ...container,
        ports: [{ name: 'http', containerPort: 80, hostPort: 8080, protocol: 'TCP' }],
        env: [
          { name: 'A', value: 'b' },
          { name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } },
          { name: 'LABEL', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.labels['a']" } } },
          { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
          { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        ],
        envFrom: [{ prefix: 'P_', configMapRef: { name: 'c' } }, { secretRef: { name: 's' } }],
        resources: {
          requests: { cpu: '500m', memory: '1Gi', 'example.com/gpu': '1', 'hugepages-2Mi': '4Mi' },
          limits: { cpu: '1', memory: '1Gi', 'example.com/gpu': '1', 'hugepages-2Mi': '4Mi' },
        },
        volumeMounts: [
          { name: 'empty', mountPath: '/empty', subPath: 'a' },
          { name: 'host', mountPath: '/host', mountPropagation: 'HostToContainer' },
        ],
        volumeDevices: [{ name: 'claim', devicePath: '/dev/a' }],
        livenessProbe: { ...once, terminationGracePeriodSeconds: 5 },
        readinessProbe: { ...probe, successThreshold: 3 },
        startupProbe: { ...once, httpGet: null, exec: { command: ['true'] } },
        lifecycle: { preStop: { tcpSocket: { port: 80 } }, postStart: { exec: { command: ['true'] } } },
        securityContext: {
          runAsUser: 1000,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'Localhost', localhostProfile: 'a/b.json' },
        },
      },
    ],
    serviceAccountName: 'default',
    nodeName: 'node',
    nodeSelector: { a: 'b' },
    hostname: 'h',
    subdomain: 's',
    activeDeadlineSeconds: 60,
    priorityClassName: 'high',
    runtimeClassName: 'r',
    preemptionPolicy: 'Never',
    overhead: { cpu: '1' },
    os: { name: 'linux' },
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['10.0.0.1'], searches: ['a.b.'], options: [{ name: 'ndots' }] },
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['a.b'] }],
    readinessGates: [{ conditionType: 'x.y/z' }],
    tolerations: [
      { operator: 'Exists' },
      { key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 },
    ],
    securityContext: {
      fsGroup: 1,
      supplementalGroups: [2],
      sysctls: [{ name: 'a.b', value: '1' }],
      fsGroupChangePolicy: 'Always',
    },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }],
              matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node'] }],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
        ],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'platform.io/hostname', labelSelector: { matchLabels: { a: 'b' } }, namespaces: ['n'] },
        ],
      },
    },
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
  },
  {
    annotations: {
      'controller.platform.io/pod-deletion-cost': '-5',
      'container.apparmor.security.beta.platform.io/main': 'runtime/default',
      'seccomp.security.alpha.platform.io/pod': 'localhost/a',
    },
  },
);

describe('a pod', () => {
  it('may be rich', () => {
    refuses(rich);
  });

  it.each([
    [{ containers: null }, 'Required spec.containers'],
    [{ restartPolicy: 'Maybe' }, 'NotSupported spec.restartPolicy'],
    [{ dnsPolicy: 'Maybe' }, 'NotSupported spec.dnsPolicy'],
    [{ nodeSelector: { a: 'b c' } }, 'Invalid spec.nodeSelector'],
    [{ serviceAccountName: 'A' }, 'Invalid spec.serviceAccountName'],
    [{ nodeName: 'A' }, 'Invalid spec.nodeName'],
    [{ hostname: 'a.b' }, 'Invalid spec.hostname'],
    [{ subdomain: 'a.b' }, 'Invalid spec.subdomain'],
    [{ priorityClassName: 'A' }, 'Invalid spec.priorityClassName'],
    [{ runtimeClassName: '' }, 'Invalid spec.runtimeClassName'],
    [{ preemptionPolicy: 'Maybe' }, 'NotSupported spec.preemptionPolicy'],
    [{ activeDeadlineSeconds: 0 }, 'Invalid spec.activeDeadlineSeconds'],
    [{ overhead: { nonsense: '1' } }, 'Invalid spec.overhead.limits[nonsense]'],
    [{ os: { name: '' } }, 'Required spec.os.name'],
    [{ os: { name: 'dos' } }, 'NotSupported spec.os'],
    [{ dnsPolicy: 'None' }, 'Required spec.dnsConfig'],
    [{ dnsPolicy: 'None', dnsConfig: {} }, 'Required spec.dnsConfig.nameservers'],
    [{ dnsConfig: { nameservers: ['x'] } }, 'Invalid spec.dnsConfig.nameservers[0]'],
    [
      { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } },
      'Invalid spec.dnsConfig.nameservers',
    ],
    [{ dnsConfig: { searches: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] } }, 'Invalid spec.dnsConfig.searches'],
    [{ dnsConfig: { searches: ['a'.repeat(200), 'b'.repeat(60)] } }, 'Invalid spec.dnsConfig.searches'],
    [{ dnsConfig: { searches: ['A'] } }, 'Invalid spec.dnsConfig.searches[0]'],
    [{ dnsConfig: { options: [{ value: '1' }] } }, 'Required spec.dnsConfig.options[0]'],
    [{ hostAliases: [{ ip: 'x' }] }, 'Invalid spec.hostAliases.ip'],
    [{ hostAliases: [{ ip: '1.1.1.1', hostnames: ['A'] }] }, 'Invalid spec.hostAliases.hostnames'],
    [{ readinessGates: [{ conditionType: 'a b' }] }, 'Invalid spec.readinessGates[0].conditionType'],
    [{ ephemeralContainers: [{ ...container, name: 'e' }] }, 'Forbidden spec.ephemeralContainers'],
    [{ shareProcessNamespace: true, hostPID: true }, 'Invalid spec.securityContext.shareProcessNamespace'],
  ])('with %j is refused', (spec, cause) => {
    refuses(pod(spec), cause);
  });

  it('on the network of the host has the same ports inside and outside', () => {
    const ports = [{ containerPort: 80, hostPort: 81, protocol: 'TCP' }];
    refuses(withContainer({ ports }, { hostNetwork: true }), 'Invalid spec.containers[0].ports[0].containerPort');
  });

  it('without a service account has no token', () => {
    const sources = [{ serviceAccountToken: { path: 't', expirationSeconds: 600 } }];
    refuses(
      pod({ volumes: [{ name: 'v', projected: { sources } }] }),
      'Forbidden spec.volumes[0].projected.sources[0].serviceAccountToken',
    );
  });
});

describe('annotations of a pod', () => {
  it.each([
    ['controller.platform.io/pod-deletion-cost', '+5', 'Invalid metadata.annotations[%]'],
    ['controller.platform.io/pod-deletion-cost', '2147483648', 'Invalid metadata.annotations[%]'],
    ['platform.io/config.mirror', 'x', 'Invalid metadata.annotations[%]'],
    ['container.apparmor.security.beta.platform.io/main', 'x', 'Invalid metadata.annotations[%]'],
    ['container.apparmor.security.beta.platform.io/none', 'unconfined', 'Invalid metadata.annotations[%]'],
    ['seccomp.security.alpha.platform.io/pod', 'x', 'Invalid metadata.annotations.%'],
    ['container.seccomp.security.alpha.platform.io/main', 'localhost/../x', 'Invalid metadata.annotations.%'],
  ])('%s: %s is refused', (key, value, cause) => {
    refuses(pod({}, { annotations: { [key]: value } }), cause.replace('%', key));
  });

  it('agree with fields about seccomp', () => {
    const annotations = { 'seccomp.security.alpha.platform.io/pod': 'localhost/a' };
    const profile = (seccompProfile: unknown) => pod({ securityContext: { seccompProfile } }, { annotations });
    refuses(profile({ type: 'Localhost', localhostProfile: 'a' }));
    refuses(profile({ type: 'RuntimeDefault' }), 'Forbidden spec.securityContext.seccompProfile.type');
    refuses(
      profile({ type: 'Localhost', localhostProfile: 'b' }),
      'Forbidden spec.securityContext.seccompProfile.localhostProfile',
    );
  });
});

describe('a change of a pod', () => {
  const before = pod({
    activeDeadlineSeconds: 60,
    terminationGracePeriodSeconds: -1,
    tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
  });
  const change = (spec: unknown, metadata: unknown = {}) =>
    problemsOfChange(Pod, validatePodUpdate, before, changed(before, { spec, metadata }));

  it.each([
    {},
    { containers: [{ ...container, image: 'j' }] },
    { activeDeadlineSeconds: 30 },
    { terminationGracePeriodSeconds: 1 },
    {
      tolerations: [
        { operator: 'Exists' },
        { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 9 },
      ],
    },
  ])('to %j is fine', (spec) => {
    expect(change(spec)).toEqual([]);
  });

  it.each([
    [{ nodeName: 'n' }, 'Forbidden spec'],
    [{ terminationGracePeriodSeconds: 5 }, 'Forbidden spec'],
    [{ containers: [{ ...container, command: ['x'] }] }, 'Forbidden spec'],
    [{ containers: [container, { ...container, name: 'b' }] }, 'Forbidden spec.containers'],
    [{ initContainers: [{ ...container, name: 'b' }] }, 'Forbidden spec.initContainers'],
    [{ activeDeadlineSeconds: 61 }, 'Invalid spec.activeDeadlineSeconds'],
    [{ activeDeadlineSeconds: null }, 'Invalid spec.activeDeadlineSeconds'],
    [{ tolerations: [] }, 'Forbidden spec.tolerations'],
  ])('to %j is refused', (spec, cause) => {
    expect(change(spec)).toEqual([cause]);
  });

  it.each(['platform.io/config.mirror', 'container.apparmor.security.beta.platform.io/main'])(
    'does not add %s',
    (key) => {
      expect(change({}, { annotations: { [key]: 'x' } })).toEqual([`Forbidden metadata.annotations[${key}]`]);
    },
  );

  it('adds ephemeral containers and leaves those that are there', () => {
    const helper = { ...container, name: 'helper' };
    const old = pod({ ephemeralContainers: [helper] });
    const to = (ephemeralContainers: unknown) =>
      problemsOfChange(Pod, validateEphemeralContainersUpdate, old, changed(old, { spec: { ephemeralContainers } }));
    expect(to([{ ...container, name: 'other' }, helper])).toEqual([]);
    expect(to([])).toEqual(['Forbidden spec.ephemeralContainers']);
    expect(to([{ ...helper, image: 'j' }])).toEqual(['Forbidden spec.ephemeralContainers']);
  });

  it('adds ephemeral containers that only look on', () => {
    const at = 'spec.ephemeralContainers[0]';
    const helper = (fields: unknown) => {
      const document = pod({
        volumes: [{ name: 'v', emptyDir: {} }],
        ephemeralContainers: [changed({ ...container, name: 'helper' }, fields)],
      });
      return problemsOf(Pod, { validate: validatePod }, document);
    };
    expect(helper({ targetContainerName: 'main', volumeMounts: [{ name: 'v', mountPath: '/a' }] })).toEqual([]);
    expect(helper({ targetContainerName: 'none' })).toEqual([`NotFound ${at}.targetContainerName`]);
    expect(helper({ name: 'main' })).toEqual([`Duplicate ${at}.name`]);
    expect(helper({ ports: [{ containerPort: 1, protocol: 'TCP' }] })).toEqual([`Forbidden ${at}.ports`]);
    expect(helper({ resources: { limits: { cpu: '1' } } })).toEqual([`Forbidden ${at}.resources`]);
    expect(helper({ readinessProbe: probe })).toEqual([`Forbidden ${at}.readinessProbe`]);
    expect(helper({ volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'b' }] })).toEqual([
      `Forbidden ${at}.volumeMounts[0].subPath`,
    ]);
  });
});
