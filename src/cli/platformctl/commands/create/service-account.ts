import { generator } from './generating.ts';

export const createServiceAccount = generator({
  usage: 'create serviceaccount NAME',
  about: 'Creates a service account.',
  failing: 'failed to create serviceaccount:',
  flags: {},
  make: ({ meta }) => ({ kind: 'ServiceAccount', apiVersion: 'v1', metadata: meta() }),
});
