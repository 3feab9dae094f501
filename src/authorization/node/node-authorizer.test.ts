import { describe, expect, it } from 'vitest';
import { userNamed } from '../../api/user.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import type { Attributes } from '../attributes.ts';
import { NodeAuthorizer } from './node-authorizer.ts';
import { NodeRelations } from './node-relations.ts';

const v = vocabularies.platform;
const { storage, coordination, certificates } = v.groups;
const LEASES = v.namespaces.nodeLease;

const relations = new NodeRelations(v.annotations.configMirror);
relations.setPod({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p', namespace: 'ns', uid: '1', creationTimestamp: null },
  spec: {
    nodeName: 'n',
    serviceAccountName: 'a',
    containers: [{ name: 'c', resources: {}, envFrom: [{ configMapRef: { name: 'm' } }] }],
    volumes: [
      { name: 's', secret: { secretName: 's' } },
      { name: 'c', persistentVolumeClaim: { claimName: 'c' } },
    ],
  },
  status: {},
});
relations.setVolume({
  kind: 'PersistentVolume',
  apiVersion: 'v1',
  metadata: { name: 'v', creationTimestamp: null },
  spec: { claimRef: { namespace: 'ns', name: 'c' }, rbd: { monitors: null, image: 'i', secretRef: { name: 'vs' } } },
  status: {},
});
relations.setAttachment({
  kind: 'VolumeAttachment',
  apiVersion: `${storage}/v1`,
  metadata: { name: 'at', creationTimestamp: null },
  spec: { attacher: 'x', nodeName: 'n', source: {} },
  status: { attached: true },
});
const authorizer = new NodeAuthorizer(relations, v);

const NODE = userNamed('system:node:n', ['system:nodes', 'system:authenticated']);
const OTHER = userNamed('system:node:m', ['system:nodes', 'system:authenticated']);

/** `get secrets/s`, `create serviceaccounts/a/token`; resources of other groups as `leases.<group>`. */
function wanting(text: string, namespace = 'ns', user = NODE): Attributes {
  const [verb = '', path = ''] = text.split(' ');
  const [qualified = '', name = '', subresource = ''] = path.split('/');
  const [resource = '', ...group] = qualified.split('.');
  return {
    user,
    verb,
    resourceRequest: true,
    group: group.join('.'),
    version: 'v1',
    resource,
    subresource,
    namespace,
    name,
    path: '',
  };
}

const NO_RELATION = "no relationship found between node 'n' and this object";

describe('a node', () => {
  it.each<[string, string]>([
    ['get secrets/s', 'ns'],
    ['list secrets/s', 'ns'],
    ['watch secrets/s', 'ns'],
    ['get secrets/vs', 'ns'],
    ['get configmaps/m', 'ns'],
    ['watch configmaps/m', 'ns'],
    ['get persistentvolumeclaims/c', 'ns'],
    ['patch persistentvolumeclaims/c/status', 'ns'],
    ['update persistentvolumeclaims/c/status', 'ns'],
    ['get persistentvolumes/v', ''],
    [`get volumeattachments.${storage}/at`, ''],
    ['create serviceaccounts/a/token', 'ns'],
    [`get leases.${coordination}/n`, LEASES],
    [`update leases.${coordination}/n`, LEASES],
    [`create leases.${coordination}`, LEASES],
    [`delete csinodes.${storage}/n`, ''],
    [`create csinodes.${storage}`, ''],
    ['list pods', ''],
    ['create pods', 'ns'],
    ['patch pods/p/status', 'ns'],
    ['create pods/p/eviction', 'ns'],
    ['get nodes/n', ''],
    ['patch nodes/n/status', ''],
    ['watch services', ''],
    ['create events', 'ns'],
    [`create certificatesigningrequests.${certificates}`, ''],
    [`create tokenreviews.${v.groups.authentication}`, ''],
    [`list csidrivers.${storage}`, ''],
    [`watch runtimeclasses.${v.groups.node}`, ''],
  ])('may %s in "%s"', (text, namespace) => {
    expect(authorizer.authorize(wanting(text, namespace))).toMatchObject({ decision: 'allow' });
  });

  it.each<[string, string, string]>([
    ['get secrets/other', 'ns', NO_RELATION],
    ['get secrets/s', 'elsewhere', NO_RELATION],
    ['get secrets/m', 'ns', NO_RELATION],
    ['list secrets', 'ns', 'No Object name found'],
    ['list secrets/s', '', 'can only read namespaced object of this type'],
    ['update secrets/s', 'ns', 'can only read resources of this type'],
    ['deletecollection configmaps/m', 'ns', 'can only read resources of this type'],
    ['get secrets/s/x', 'ns', 'cannot read subresource'],
    ['list persistentvolumeclaims/c', 'ns', 'can only get individual resources of this type'],
    ['get persistentvolumeclaims/c/x', 'ns', 'cannot get subresource'],
    ['get persistentvolumeclaims/c/status', 'ns', 'can only get/update/patch this type'],
    ['update persistentvolumeclaims/x/status', 'ns', NO_RELATION],
    ['get persistentvolumes/w', '', NO_RELATION],
    ['get persistentvolumes', '', 'No Object name found'],
    ['update persistentvolumes/v', '', 'can only get individual resources of this type'],
    [`get volumeattachments.${storage}/x`, '', NO_RELATION],
    [`delete volumeattachments.${storage}/at`, '', 'can only get individual resources of this type'],
    ['create serviceaccounts/b/token', 'ns', NO_RELATION],
    ['get serviceaccounts/a', 'ns', 'can only create tokens for individual service accounts'],
    ['create serviceaccounts', 'ns', 'can only create tokens for individual service accounts'],
    ['create serviceaccounts/a', 'ns', 'can only create token subresource of service account'],
    [`list leases.${coordination}`, LEASES, 'can only get, create, update, patch, or delete a node lease'],
    [`get leases.${coordination}/n`, 'ns', `can only access leases in the "${LEASES}" system namespace`],
    [`get leases.${coordination}/m`, LEASES, 'can only access node lease with the same name as the requesting node'],
    [`list csinodes.${storage}`, '', 'can only get, create, update, patch, or delete a CSINode'],
    [`get csinodes.${storage}/m`, '', 'can only access CSINode with the same name as the requesting node'],
    [`get csinodes.${storage}/n/x`, '', 'cannot authorize CSINode subresources'],
    ['delete nodes/n', '', ''],
    ['get secrets.example.com/s', 'ns', ''],
    ['update services/x', 'ns', ''],
  ])('may not %s in "%s": %s', (text, namespace, reason) => {
    expect(authorizer.authorize(wanting(text, namespace))).toEqual({ decision: 'abstain', reason });
  });

  it('has no more than its own', () => {
    expect(authorizer.authorize(wanting('get secrets/s', 'ns', OTHER)).decision).toBe('abstain');
    expect(authorizer.authorize(wanting('get persistentvolumes/v', '', OTHER)).decision).toBe('abstain');
    expect(authorizer.authorize(wanting(`get volumeattachments.${storage}/at`, '', OTHER)).decision).toBe('abstain');
  });

  it('must say which it is', () => {
    const nameless = userNamed('system:node:', ['system:nodes']);
    expect(authorizer.authorize(wanting('list pods', '', nameless))).toEqual({
      decision: 'abstain',
      reason: 'unknown node for user "system:node:"',
    });
  });

  it('cannot have its rights listed', () => {
    expect(authorizer.rulesFor(NODE)).toMatchObject({ incomplete: true, problem: expect.stringContaining('node') });
    expect(authorizer.rulesFor(userNamed('alice', []))).toMatchObject({ incomplete: false, problem: '' });
  });
});

it.each([
  ['the group', userNamed('system:node:n', ['system:authenticated'])],
  ['the name', userNamed('n', ['system:nodes'])],
])('nobody is a node without %s', (_, user) => {
  expect(authorizer.authorize(wanting('list pods', '', user))).toEqual({ decision: 'abstain', reason: '' });
  expect(authorizer.authorize(wanting('get secrets/s', 'ns', user))).toEqual({ decision: 'abstain', reason: '' });
});
