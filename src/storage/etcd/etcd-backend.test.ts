import { afterAll, beforeAll, describe } from 'vitest';
import { Etcd } from '../../../test/support/etcd.ts';
import { havePeer } from '../../../test/support/peers.ts';
import { systemRuntime as runtime } from '../../runtime.ts';
import { describeBackend } from '../contract.ts';
import { EtcdBackend } from './etcd-backend.ts';

describe.runIf(havePeer('etcd', '--version'))('etcd', () => {
  let etcd: Etcd;
  let prefixes = 0;

  beforeAll(async () => {
    etcd = await Etcd.start();
  });

  afterAll(() => etcd?.close());

  const backendAt = (prefix: string): EtcdBackend =>
    new EtcdBackend({ runtime, endpoints: etcd.endpoints, prefix, vocabulary: 'platform' });

  describeBackend('etcd', async () => {
    const prefix = `/contract-${prefixes++}`;
    return { create: () => backendAt(prefix), dispose: async () => undefined };
  });
});
