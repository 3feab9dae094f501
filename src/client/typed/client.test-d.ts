/** What must not compile does not: the type checker fails for each line below a directive that has no error. */

import { ObjectMeta } from '../../meta/object-meta.ts';
import { int32 } from '../../schema/scalars.ts';
import { jsonOnly, kind, struct } from '../../schema/schema.ts';
import {
  type AnyObject,
  type Client,
  ConfigMap,
  customKind,
  Deployment,
  type Informer,
  type Input,
  Node,
  Pod,
  ServiceAccount,
  type UntypedObject,
} from '../index.ts';

/** Fails to compile unless both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
const same = <A, B>(_: Same<A, B>): void => {};
declare const client: Client;
const pods = client.of(Pod).inNamespace('x');
const maps = client.of(ConfigMap).inNamespace('x');

// Objects have the type of their kind.
same<Awaited<ReturnType<typeof pods.get>>, Pod>(true);
same<Awaited<ReturnType<typeof pods.find>>, Pod | undefined>(true);
same<Awaited<ReturnType<typeof pods.list>>['items'], readonly Pod[]>(true);
for await (const event of pods.watch()) if (event.type === 'ADDED') same<typeof event.object, Pod>(true);

// What is read is a value, and may be written.
const pod = await pods.get('x');
const written: Input<Pod> = pod;
void pods.update(written);
// @ts-expect-error a value is never changed in place
pod.spec.nodeName = 'n';
void pods.edit('x', (draft) => {
  draft.spec.nodeName = 'n';
});

// What is in namespaces is written in one, and what is not has none.
void client.of(Pod).list();
// @ts-expect-error in which namespace?
void client.of(Pod).get('x');
void client.of(Node).get('x');
// @ts-expect-error nodes are in no namespace
void client.of(Node).inNamespace('x');

// Any part of an object may be written, and nothing else.
void maps.create({ metadata: { generateName: 'x-' } });
// @ts-expect-error config maps have no such field
void maps.create({ metadata: { name: 'x' }, spec: {} });
// @ts-expect-error data are texts
void maps.create({ data: { a: 1 } });
void maps.patch('x', { merge: { data: { a: null } } });
// @ts-expect-error only a merge takes null for nothing
void maps.create({ data: { a: null } });
void client
  .of(Deployment)
  .inNamespace('x')
  .patch('x', { strategic: { spec: { $retainKeys: ['replicas'] } } });
// @ts-expect-error a change has one form
void maps.patch('x', { data: {} });

// Conflicts are values, unless there cannot be any.
const outcome = await maps.apply({ metadata: { name: 'x' } });
if (outcome.conflicts) same<typeof outcome.applied, undefined>(true);
else same<typeof outcome.applied, ConfigMap>(true);
same<Awaited<ReturnType<typeof forced>>['applied'], ConfigMap>(true);
const forced = () => maps.apply({ metadata: { name: 'x' } }, { force: true });

// What only some kinds have, others have not.
void pods.evict('x');
void pods.logs('x');
void client
  .of(ServiceAccount)
  .inNamespace('x')
  .requestToken('x', { audiences: ['a'] });
// @ts-expect-error config maps run nothing
void maps.exec('x', ['sh']);

// Informers hold objects of the kind, or metadata.
same<Awaited<ReturnType<typeof informed>>, Informer<Pod, 'node'>>(true);
const informed = () => pods.informer({ indexes: { node: ({ spec }) => spec.nodeName } });
same<Awaited<ReturnType<typeof named>>, Informer<AnyObject, never>>(true);
const named = () => pods.metadataInformer();

// Kinds of one's own are typed by a schema, by a type, or not at all.
const Schema = kind('test.Thing', {
  metadata: jsonOnly(ObjectMeta),
  spec: jsonOnly(struct('test.Spec', { size: jsonOnly(int32()) })),
});
const names = { group: 'example.com', version: 'v1', plural: 'things', kind: 'Thing' };
const Thing = customKind({ ...names, namespaced: true }, Schema);
same<Awaited<ReturnType<typeof sizeOf>>, number | undefined>(true);
const sizeOf = async () => (await client.of(Thing).inNamespace('x').get('x')).spec.size;
void client.of(customKind<ConfigMap>({ ...names, namespaced: false })).get('x');
same<Awaited<ReturnType<typeof untyped>>, UntypedObject>(true);
const untyped = () => client.of({ apiVersion: 'v1', kind: 'Thing' }).get('x');
