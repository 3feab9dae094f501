import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type VocabularyName, vocabularies } from '../src/vocabulary/vocabulary.ts';
import type { Answer } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

/** Objects that a client applied by itself before it left that to the server. */

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

interface Wanted {
  readonly replicas: number;
  readonly paused?: boolean;
}

const deployment = (name: string, spec: Wanted, metadata: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, ...metadata },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'm', image: 'i' }] } },
    ...spec,
  },
});

describe.each<VocabularyName>(['platform', 'kubernetes'])(
  'what was applied last, in the %s vocabulary',
  (vocabulary) => {
    let plane: TestServer;
    beforeAll(async () => {
      plane = await startTestServer({ vocabulary });
    });
    afterAll(() => plane.close());

    const annotation = vocabularies[vocabulary].annotations.lastAppliedConfiguration;

    const apply = (document: ReturnType<typeof deployment>, manager = 'kubectl', query = ''): Promise<Answer> =>
      plane.admin.request(
        'PATCH',
        `${DEPLOYMENTS}/${document.metadata.name}?fieldManager=${manager}${query}`,
        document,
        APPLY,
      );

    /** Makes an object as a client does that applies by itself. */
    const make = (
      name: string,
      spec: Wanted,
      last: string = JSON.stringify(deployment(name, spec)),
    ): Promise<Answer> => {
      const document = deployment(name, spec, { annotations: { [annotation]: last } });
      return plane.admin.request('POST', `${DEPLOYMENTS}?fieldManager=kubectl-client-side-apply`, document);
    };

    const edit = (name: string, patch: object): Promise<Answer> =>
      plane.admin.request('PATCH', `${DEPLOYMENTS}/${name}?fieldManager=editor`, patch);

    const lastOf = ({ body }: Answer): unknown => JSON.parse(body.metadata.annotations?.[annotation] ?? 'null');
    const conflictsOf = ({ body }: Answer) => body.details?.causes?.map(({ field }) => field);

    it('is taken over by the manager of that client, and by no other', async () => {
      await make('taken', { replicas: 1 });
      const wanted = deployment('taken', { replicas: 2 });
      const other = await apply(wanted, 'deployer');
      expect([other.status, conflictsOf(other)]).toEqual([409, ['.spec.replicas']]);
      expect((await apply(wanted, 'kubectl', '&dryRun=All')).status).toBe(200);
      const answer = await apply(wanted);
      expect([answer.status, answer.body.spec.replicas]).toEqual([200, 2]);
      expect(lastOf(answer)).toEqual(wanted);
    });

    it('excuses only what is still as it was', async () => {
      await make('changed', { replicas: 1, paused: true });
      await edit('changed', { spec: { replicas: 3 } });
      const answer = await apply(deployment('changed', { replicas: 2, paused: false }));
      expect([answer.status, conflictsOf(answer)]).toEqual([409, ['.spec.replicas']]);
    });

    it('is written as clients write it, and not owned for that', async () => {
      await make('written', { replicas: 1 });
      const document = deployment('written', { replicas: 1 }, { annotations: { own: '<b>&' } });
      const { body } = await apply(document);
      expect(body.metadata.annotations?.[annotation]).toBe(
        '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{"own":"\\u003cb\\u003e\\u0026"},"name":"written"},' +
          '"spec":{"replicas":1,"selector":{"matchLabels":{"app":"written"}},"template":{"metadata":{"labels":{"app":"written"}},' +
          '"spec":{"containers":[{"image":"i","name":"m"}]}}}}\n',
      );
      const { managedFields } = (await plane.admin.request('GET', `${DEPLOYMENTS}/written`)).body.metadata as {
        managedFields?: { manager: string; fieldsV1: object }[];
      };
      const owned = (manager: string) => JSON.stringify(managedFields?.find((entry) => entry.manager === manager));
      expect(owned('kubectl')).not.toContain(annotation);
      expect(owned('kubectl-client-side-apply')).toContain(annotation);
    });

    it('stays as it is when the same is applied again', async () => {
      await make('again', { replicas: 1 });
      const [first, second] = [
        await apply(deployment('again', { replicas: 1 })),
        await apply(deployment('again', { replicas: 1 })),
      ];
      expect(second.text).toBe(first.text);
    });

    it.each([
      ['broken', '{'],
      ['of-another-kind', '{"apiVersion":"apps/v1","kind":"ReplicaSet","spec":{"replicas":1}}'],
      ['of-another-version', '{"apiVersion":"v1","kind":"Deployment","spec":{"replicas":1}}'],
      ['strange', '{"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":1,"size":1}}'],
      ['of-a-wrong-type', '{"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":1,"paused":"x"}}'],
      [
        'double',
        '{"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":1,"template":{"spec":{"containers":[{"name":"a"},{"name":"a"}]}}}}',
      ],
    ])('that is %s excuses nothing', async (name, last) => {
      expect((await make(name, { replicas: 1 }, last)).status).toBe(201);
      expect((await apply(deployment(name, { replicas: 2 }))).status).toBe(409);
      const forced = await apply(deployment(name, { replicas: 2 }), 'kubectl', '&force=true');
      expect([forced.status, lastOf(forced)]).toEqual([200, deployment(name, { replicas: 2 })]);
    });

    it('is neither made nor missed where it is not', async () => {
      const answer = await apply(deployment('new', { replicas: 1 }));
      expect([answer.status, answer.body.metadata.annotations]).toEqual([201, undefined]);
    });

    it('goes when there is no room for it', async () => {
      await make('full', { replicas: 1 });
      const big = { annotations: { big: 'x'.repeat(200 * 1024) } };
      const answer = await apply(deployment('full', { replicas: 1 }, big));
      expect([answer.status, Object.keys(answer.body.metadata.annotations ?? {})]).toEqual([200, ['big']]);
    });

    it('leaves a scale alone', async () => {
      await make('scaled', { replicas: 1 });
      const scale = {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'scaled' },
        spec: { replicas: 2 },
      };
      const path = `${DEPLOYMENTS}/scaled/scale?fieldManager=kubectl`;
      expect((await plane.admin.request('PATCH', path, scale, APPLY)).status).toBe(409);
      expect((await plane.admin.request('PATCH', `${path}&force=true`, scale, APPLY)).status).toBe(200);
      expect(lastOf(await plane.admin.request('GET', `${DEPLOYMENTS}/scaled`))).toEqual(
        deployment('scaled', { replicas: 1 }),
      );
    });
  },
);
