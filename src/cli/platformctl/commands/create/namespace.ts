import { generator } from './generating.ts';

export const createNamespace = generator({
  usage: 'create namespace NAME',
  about: 'Creates a namespace.',
  flags: {},
  clusterWide: true,
  make: ({ meta }) => ({ kind: 'Namespace', apiVersion: 'v1', metadata: meta(), spec: {}, status: {} }),
});
