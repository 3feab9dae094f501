import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { PersistentVolume } from '../../kinds/core/volume/persistent-volume.ts';
import { NodeRelations } from './node-relations.ts';

const MIRROR = 'mirror';

interface ModelPod {
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  readonly mirror: boolean;
  readonly secrets: readonly string[];
  readonly claims: readonly string[];
}

interface ModelVolume {
  readonly name: string;
  readonly claim: string;
  readonly secrets: readonly string[];
}

const storedPod = ({ name, uid, node, mirror, secrets, claims }: ModelPod): Pod => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, namespace: 'ns', uid, creationTimestamp: null, ...(mirror && { annotations: { [MIRROR]: 'x' } }) },
  spec: {
    containers: null,
    nodeName: node,
    volumes: [
      ...secrets.map((secretName, at) => ({ name: `s${at}`, secret: { secretName } })),
      ...claims.map((claimName, at) => ({ name: `c${at}`, persistentVolumeClaim: { claimName } })),
    ],
  },
  status: {},
});

const storedVolume = ({ name, claim, secrets: [stage, publish] }: ModelVolume): PersistentVolume => ({
  kind: 'PersistentVolume',
  apiVersion: 'v1',
  metadata: { name, creationTimestamp: null },
  spec: {
    ...(claim === '' ? {} : { claimRef: { namespace: 'ns', name: claim } }),
    csi: {
      driver: 'd',
      volumeHandle: 'h',
      ...(stage === undefined ? {} : { nodeStageSecretRef: { name: stage, namespace: 'ns' } }),
      ...(publish === undefined ? {} : { nodePublishSecretRef: { name: publish, namespace: 'ns' } }),
    },
  },
  status: {},
});

const SECRETS = ['s', 't', '__proto__'];
const CLAIMS = ['c', 'd'];
const VOLUMES = ['v', 'w'];
const NODES = ['n', 'm', 'constructor'];

const some = (words: readonly string[]) => fc.array(fc.constantFrom(...words), { maxLength: 2 });
const pod: fc.Arbitrary<ModelPod> = fc.record({
  name: fc.constantFrom('p', 'q', 'r'),
  uid: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8'),
  node: fc.constantFrom('', ...NODES),
  mirror: fc.nat(4).map((draw) => draw === 0),
  secrets: some(SECRETS),
  claims: some(CLAIMS),
});
const volume: fc.Arbitrary<ModelVolume> = fc.record({
  name: fc.constantFrom(...VOLUMES),
  claim: fc.constantFrom('', ...CLAIMS),
  secrets: some(SECRETS),
});
const gone = fc.nat(3).map((draw) => draw === 0);
const step = fc.oneof(fc.record({ pod, gone }), fc.record({ volume, gone }));

it('a node reaches what a walk over all pods and volumes finds, whatever came and went before', () => {
  let reached = 0;
  let asked = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => {
      const relations = new NodeRelations(MIRROR);
      const pods = new Map<string, ModelPod>();
      const volumes = new Map<string, ModelVolume>();
      for (const it of steps) {
        if ('pod' in it) {
          const known = pods.get(it.pod.name);
          // What a pod names does not change while it is the same pod.
          const next = known?.uid === it.pod.uid ? { ...known, node: it.pod.node } : it.pod;
          if (it.gone) pods.delete(next.name);
          else pods.set(next.name, next);
          if (it.gone) relations.removePod('ns', next.name);
          else relations.setPod(storedPod(next));
        } else {
          const { name } = it.volume;
          if (it.gone) volumes.delete(name);
          else volumes.set(name, it.volume);
          if (it.gone) relations.removeVolume(name);
          else relations.setVolume(storedVolume(it.volume));
        }
      }
      const expectSame = (found: boolean, expected: boolean, what: string): void => {
        expect(found, what).toBe(expected);
        asked++;
        if (expected) reached++;
      };
      for (const node of NODES) {
        const own = [...pods.values()].filter((it) => it.node === node && !it.mirror);
        const usesClaim = (claim: string): boolean => own.some(({ claims }) => claims.includes(claim));
        for (const name of VOLUMES) {
          const { claim = '' } = volumes.get(name) ?? {};
          expectSame(relations.reachesVolume(node, name), usesClaim(claim), `${node} to ${name}`);
        }
        for (const claim of CLAIMS) {
          expectSame(relations.reaches(node, 'persistentvolumeclaims', 'ns', claim), usesClaim(claim), claim);
        }
        for (const secret of SECRETS) {
          const byVolume = [...volumes.values()].some((it) => it.secrets.includes(secret) && usesClaim(it.claim));
          const expected = byVolume || own.some(({ secrets }) => secrets.includes(secret));
          expectSame(relations.reaches(node, 'secrets', 'ns', secret), expected, `${node} to ${secret}`);
          expect(relations.reaches(node, 'secrets', 'other', secret)).toBe(false);
          expect(relations.reaches(node, 'configmaps', 'ns', secret)).toBe(false);
        }
      }
    }),
    { numRuns: 300, seed: 1 },
  );
  expect(reached / asked).toBeGreaterThan(0.1);
});
