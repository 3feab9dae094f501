import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPlane, startPlane } from '../src/server/server.ts';

/** What the server tells of why an object does not go. */

let plane: EmbeddedPlane;
beforeAll(async () => {
  // Nobody clears what is in the way while it is looked at.
  plane = await startPlane({
    store: 'memory',
    freezeObjects: true,
    controllers: [],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
});
afterAll(() => plane.close());

const send = async (method: string, target: string, body?: unknown, type = 'application/json') => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await plane.inject({ method, target, as: 'admin', headers: { 'content-type': type }, ...sent });
  return { status: reply.status, body: JSON.parse(String(reply.body)) };
};

interface Blocker {
  readonly type: string;
  readonly name: string;
  readonly message: string;
  readonly certain: boolean;
  readonly count?: number;
  readonly finalizers?: string[];
}

async function review(object: object): Promise<{ deleting: boolean; blockers: Blocker[]; notSearched?: string[] }> {
  const { body } = await send('POST', '/apis/explain.platform.io/v1alpha1/deletionreviews', { spec: { object } });
  return { blockers: [], ...body.status };
}

const MAPS = '/api/v1/namespaces/default/configmaps';
const mapNamed = (name: string) => ({ resource: 'configmaps', namespace: 'default', name });
const ownerIn = ({ metadata: { name, uid } }: { metadata: { name: string; uid: string } }, blocks: boolean) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
  blockOwnerDeletion: blocks,
});

describe('why an object does not go', () => {
  it('is told of finalizers, with who set them and who takes them away', async () => {
    const made = { metadata: { name: 'held', finalizers: ['example.com/own', 'platform.io/pvc-protection'] } };
    await send('POST', `${MAPS}?fieldManager=holder`, made);
    const before = await review(mapNamed('held'));
    expect(before).toMatchObject({ deleting: false });
    expect(before.blockers).toHaveLength(2);
    await send('DELETE', `${MAPS}/held`);
    const { deleting, blockers } = await review(mapNamed('held'));
    expect(deleting).toBe(true);
    expect(blockers).toMatchObject([
      {
        type: 'Finalizer',
        name: 'example.com/own',
        message: expect.stringContaining('whoever set it'),
        owners: [{ manager: 'holder' }],
        setBy: { event: 'Created', user: 'platform-admin' },
        certain: true,
      },
      { name: 'platform.io/pvc-protection', message: expect.stringContaining('once no pod uses the claim') },
    ]);
  });

  it('is told of the grace that a pod was given', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], nodeName: 'n' };
    await send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
    await send('DELETE', '/api/v1/namespaces/default/pods/p');
    const { blockers } = await review({ resource: 'pods', namespace: 'default', name: 'p' });
    expect(blockers).toMatchObject([{ type: 'GracePeriod', message: expect.stringContaining('was given 30 s') }]);
  });

  it('is told of webhooks that must answer, and of those that cannot', async () => {
    const webhook = (name: string, more: object) => ({
      name,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      rules: [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      clientConfig: { service: { namespace: 'default', name: 'nowhere' } },
      ...more,
    });
    const webhooks = [
      webhook('gone.example.com', {}),
      webhook('away.example.com', { clientConfig: { url: 'https://127.0.0.1:1/' } }),
      webhook('open.example.com', { failurePolicy: 'Ignore' }),
      webhook('other.example.com', { objectSelector: { matchLabels: { a: 'b' } } }),
    ];
    const path = '/apis/admissionregistration.platform.io/v1/validatingwebhookconfigurations';
    await send('POST', MAPS, { metadata: { name: 'asked' } });
    await send('POST', path, { metadata: { name: 'w' }, webhooks });
    const { blockers } = await review(mapNamed('asked'));
    expect(blockers.map(({ type, name, certain }) => [type, name, certain])).toEqual([
      ['Webhook', 'w/gone.example.com', true],
      ['Webhook', 'w/away.example.com', false],
    ]);
    expect(blockers[0]?.message).toContain('its service default/nowhere is not there');
    await send('DELETE', `${path}/w`);
  });

  it('is told of a namespace by what it holds', async () => {
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'full' } });
    for (const name of ['a', 'b']) {
      await send('POST', '/api/v1/namespaces/full/secrets', { metadata: { name, finalizers: ['example.com/x'] } });
    }
    await send('DELETE', '/api/v1/namespaces/full');
    const { blockers } = await review({ resource: 'namespaces', name: 'full' });
    expect(blockers).toContainEqual(
      expect.objectContaining({ type: 'Finalizer', name: 'platform', message: expect.stringContaining('empty') }),
    );
    expect(blockers).toContainEqual(
      expect.objectContaining({ type: 'Content', name: 'secrets', count: 2, finalizers: ['example.com/x'] }),
    );
  });

  it('is told of what can never go, and of what is not there', async () => {
    const { blockers } = await review({
      group: 'scheduling.platform.io',
      resource: 'priorityclasses',
      name: 'system-cluster-critical',
    });
    expect(blockers[0]).toMatchObject({ type: 'Refusal', certain: true });
    const spec = { object: mapNamed('absent') };
    expect((await send('POST', '/apis/explain.platform.io/v1alpha1/deletionreviews', { spec })).status).toBe(404);
  });

  it('names a budget that keeps a pod from being evicted', async () => {
    const labels = { app: 'guarded' };
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'guarded', labels }, spec });
    const budget = { metadata: { name: 'budget' }, spec: { minAvailable: 1, selector: { matchLabels: labels } } };
    await send('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', budget);
    const { blockers } = await review({ resource: 'pods', namespace: 'default', name: 'guarded' });
    expect(blockers).toMatchObject([{ type: 'DisruptionBudget', name: 'budget', certain: false }]);
  });
});

/** An owner of all, and others with two references at most. */
interface Dependent {
  readonly onOwner: 'none' | 'plain' | 'blocking';
  readonly onOther: boolean;
  readonly isHeld: boolean;
}

const dependent: fc.Arbitrary<Dependent> = fc.record({
  onOwner: fc.constantFrom('none', 'plain', 'blocking'),
  onOther: fc.boolean(),
  isHeld: fc.boolean(),
});

describe('dependents in the way, against a model', () => {
  it('are those that block, where that is waited for', async () => {
    let round = 0;
    const policy = fc.constantFrom('Foreground', 'Background', 'Orphan', 'none');
    await fc.assert(
      fc.asyncProperty(fc.array(dependent, { maxLength: 6 }), policy, async (dependents, propagationPolicy) => {
        const prefix = `r${round++}`;
        const keep = ['example.com/keep'];
        const owner = await send('POST', MAPS, { metadata: { name: `${prefix}-owner`, finalizers: keep } });
        const other = await send('POST', MAPS, { metadata: { name: `${prefix}-other` } });
        for (const [at, { onOwner, onOther, isHeld }] of dependents.entries()) {
          const ownerReferences = [
            ...(onOwner === 'none' ? [] : [ownerIn(owner.body, onOwner === 'blocking')]),
            ...(onOther ? [ownerIn(other.body, true)] : []),
          ];
          const metadata = { name: `${prefix}-d${at}`, ownerReferences, ...(isHeld && { finalizers: keep }) };
          await send('POST', MAPS, { metadata });
        }
        const isGoing = propagationPolicy !== 'none';
        if (isGoing) await send('DELETE', `${MAPS}/${prefix}-owner?propagationPolicy=${propagationPolicy}`);
        const told = await review(mapNamed(`${prefix}-owner`));
        const found = told.blockers.filter(({ type }) => type === 'Dependent');
        const isWanted = ({ onOwner }: Dependent): boolean => {
          if (propagationPolicy === 'Orphan') return onOwner !== 'none';
          return onOwner === 'blocking' && propagationPolicy !== 'Background';
        };
        const wanted = dependents.flatMap((one, at) =>
          isWanted(one) ? [{ name: `${prefix}-d${at}`, certain: isGoing && !one.onOther, held: one.isHeld }] : [],
        );
        const shown = found.map(({ name, certain, finalizers = [] }) => ({
          name,
          certain,
          held: finalizers.length > 0,
        }));
        expect(shown).toEqual(wanted);
      }),
      { numRuns: 25, seed: 7 },
    );
  });
});
