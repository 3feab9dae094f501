import { BODY, container, DRY, PODS, pod, post, SERVICES, type Shape, times, VALUES } from './shape.ts';

const VOLUMES = `/api/v1/persistentvolumes${DRY}`;
const REQUESTS = `/apis/certificates.platform.io/v1/certificatesigningrequests${DRY}`;
const HOOKS = `/apis/admissionregistration.platform.io/v1/validatingwebhookconfigurations${DRY}`;
const CRON_JOBS = `/apis/batch/v1/namespaces/default/cronjobs${DRY}`;

const repeat = (text: string, size: number): string => text.repeat((size * BODY) / JSON.stringify(text).length);

const request = (signerName: string) => ({
  metadata: { name: 'ugly' },
  spec: { request: 'AAAA', signerName, usages: ['client auth'] },
});

const volume = (source: object) => ({
  metadata: { name: 'ugly' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
});

const hook = (path: string) => ({
  metadata: { name: 'ugly' },
  webhooks: [
    {
      name: 'w.example.com',
      clientConfig: { service: { namespace: 'a', name: 'b', path } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

const balanced = (annotations: object, ranges?: string[]) => ({
  metadata: { name: 'ugly', annotations },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...(ranges && { loadBalancerSourceRanges: ranges }) },
});

/** Long texts of many pieces, in places where pieces are looked at one by one. */
export const TEXT_SHAPES: readonly Shape[] = [
  { name: 'a signer of many parts', ...post(REQUESTS, (size) => request(repeat('/', size))) },
  { name: 'a signer of many labels', ...post(REQUESTS, (size) => request(`${repeat('a.', size)}a/x`)) },
  { name: 'a webhook path of many parts', ...post(HOOKS, (size) => hook(repeat('/a', size))) },
  {
    name: 'a time zone of many parts',
    ...post(CRON_JOBS, (size) => ({
      metadata: { name: 'ugly' },
      spec: {
        schedule: '0 * * * *',
        timeZone: repeat('a/', size),
        jobTemplate: { spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } },
      },
    })),
  },
  {
    name: 'a path that leads upwards at last',
    ...post(`${PODS}${DRY}`, (size) =>
      pod({
        containers: [
          { ...container, volumeMounts: [{ name: 'v', mountPath: '/', subPath: `${repeat('..a/', size)}..` }] },
        ],
      }),
    ),
  },
  {
    name: 'a volume at the root in many steps',
    ...post(VOLUMES, (size) =>
      volume({ hostPath: { path: repeat('/.', size) }, persistentVolumeReclaimPolicy: 'Recycle' }),
    ),
  },
  {
    name: 'a registry of many places',
    ...post(VOLUMES, (size) => volume({ quobyte: { registry: `${repeat('a:1,', size)}a:1`, volume: 'v' } })),
  },
  {
    name: 'a user behind many backslashes',
    ...post(`${PODS}${DRY}`, (size) =>
      pod({ securityContext: { windowsOptions: { runAsUserName: repeat('\\', size) } } }),
    ),
  },
  {
    name: 'an annotation of many ranges',
    ...post(`${SERVICES}${DRY}`, (size) =>
      balanced({ 'service.beta.platform.io/load-balancer-source-ranges': `${repeat('10.0.0.0/8,', size)}10.0.0.0/8` }),
    ),
  },
  {
    name: 'a service for many ranges',
    ...post(`${SERVICES}${DRY}`, (size) =>
      balanced(
        {},
        times(size * 0.9 * VALUES, () => '10.0.0.0/8'),
      ),
    ),
  },
];
