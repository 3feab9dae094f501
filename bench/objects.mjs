/** What the benchmarks store and send. */

/** Replaced by the number of the request, so that every write is new. As long as the digits that stand in for it. */
export const SERIAL = '{serial}';
/** Replaced by the number of one of the stored objects, each in its turn. */
export const OBJECT = '{object}';

const LINE = 'listen 8443 ssl; server_name api.example.org; proxy_pass http://backend; keepalive_timeout 75s;';

/** A ConfigMap that is stored in about 2 KB. */
export function configMap(name, serial) {
  const data = { serial };
  for (let part = 0; part < 9; part++) data[`site-${part}.conf`] = `# part ${part}\n${LINE}\n${LINE}\n`;
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, labels: { app: 'edge', tier: 'front' } }, data };
}

const probe = (path) => ({ httpGet: { path, port: 'http' }, periodSeconds: 10, timeoutSeconds: 2 });

const container = (name, port) => ({
  name,
  image: `registry.example.org/shop/${name}:v1.42.0`,
  args: ['--listen', `:${port}`, '--log-level', 'info'],
  ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'REGION', value: 'eu-central' },
    { name: 'DATABASE_PASSWORD', valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } },
  ],
  resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { cpu: '1', memory: '512Mi' } },
  livenessProbe: probe('/healthz'),
  readinessProbe: probe('/ready'),
  volumeMounts: [
    { name: 'config', mountPath: '/etc/shop', readOnly: true },
    { name: 'scratch', mountPath: '/tmp' },
  ],
  securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
});

/** The account that the Pods run under. */
export const ACCOUNT = { metadata: { name: 'shop' } };

const OWNER_NAME = 'shop-6d4b75cb6d';
const OWNER_LABELS = { app: 'shop', 'pod-template-hash': '6d4b75cb6d' };

/** What the Pods belong to. Without it they would be collected while they are measured. */
export const OWNER = {
  metadata: { name: OWNER_NAME },
  spec: {
    selector: { matchLabels: OWNER_LABELS },
    template: {
      metadata: { labels: OWNER_LABELS },
      spec: { containers: [{ name: 'api', image: 'shop/api:v1.42.0' }] },
    },
  },
};

/** A Pod as a ReplicaSet would make it: two containers with probes, resources and volumes. */
export const pod = (name, ownerUid) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name,
    labels: { app: 'shop', tier: 'back', 'pod-template-hash': '6d4b75cb6d' },
    annotations: { 'example.org/config-checksum': '5f2b1c9d8e7a6f4b3c2d1e0f9a8b7c6d' },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: OWNER_NAME,
        uid: ownerUid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
  spec: {
    serviceAccountName: 'shop',
    nodeSelector: { disk: 'fast' },
    terminationGracePeriodSeconds: 45,
    securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    containers: [container('api', 8080), container('cache', 9090)],
    volumes: [
      { name: 'config', configMap: { name: 'shop' } },
      { name: 'scratch', emptyDir: {} },
    ],
    tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'shop', effect: 'NoSchedule' }],
  },
});

const plainContainer = (name, port) => {
  const { image, args, ports, resources } = container(name, port);
  return { name, image, args, ports, env: [{ name: 'REGION', value: 'eu-central' }], resources };
};

/** A Pod with twenty plain containers, as one document that says all of it. */
export const crowdedPod = (serial, ownerUid) => {
  const { metadata, spec, ...rest } = pod(undefined, ownerUid);
  const containers = Array.from({ length: 20 }, (_, at) => plainContainer(`part-${at}`, 8080 + at));
  return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, serial } }, spec: { ...spec, containers } };
};

const status = (name, port) => ({
  name,
  image: `registry.example.org/shop/${name}:v1.42.0`,
  imageID: `registry.example.org/shop/${name}@sha256:${'4f'.repeat(32)}`,
  containerID: `containerd://${'9c'.repeat(32)}`,
  ready: true,
  started: true,
  restartCount: port % 2,
  state: { running: { startedAt: '2024-05-01T10:00:00Z' } },
});

const condition = (type) => ({ type, status: 'True', lastTransitionTime: '2024-05-01T10:00:00Z' });

/** What a node would report about that Pod. */
export const podStatus = {
  phase: 'Running',
  hostIP: '192.0.2.10',
  podIP: '198.51.100.20',
  podIPs: [{ ip: '198.51.100.20' }],
  startTime: '2024-05-01T09:59:50Z',
  conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
  containerStatuses: [status('api', 8080), status('cache', 9090)],
};
