import { setTimeout as sleep } from 'node:timers/promises';
import { DEFINITIONS, SITES, site, siteDefinition } from './custom-objects.mjs';
import { ACCOUNT, configMap, crowdedPod, OBJECT, OWNER, pod, podStatus, SERIAL } from './objects.mjs';
import { AUTHORIZATION } from './planes.mjs';
import { digits } from './request-template.mjs';

const NAMESPACE = '/api/v1/namespaces/bench';
const CONFIG_MAPS = `${NAMESPACE}/configmaps`;
const PODS = `${NAMESPACE}/pods`;
const REPLICA_SETS = '/apis/apps/v1/namespaces/bench/replicasets';
const STORED = 5000;
/** Objects that are written over in turn: more than writes under way at a time, so that no two meet. */
const UPDATED = 1000;
const EVENTS = 300;
const WRITE_HEADERS = { ...AUTHORIZATION, 'content-type': 'application/json' };

const reading = (path) => ({ method: 'GET', path, headers: AUTHORIZATION });

const writing = (method, path, document) => ({
  method,
  path,
  headers: WRITE_HEADERS,
  body: JSON.stringify(document),
});

const creation = writing('POST', CONFIG_MAPS, configMap(`created-${SERIAL}`, SERIAL));
const podCreation = (ownerUid) => writing('POST', PODS, pod(`created-${SERIAL}`, ownerUid));
const storing = writing('POST', CONFIG_MAPS, configMap(`stored-${SERIAL}`, '0'));
const update = writing('PUT', `${CONFIG_MAPS}/stored-${OBJECT}`, configMap(`stored-${OBJECT}`, SERIAL));

const patching = (mediaType, path, document) => ({
  method: 'PATCH',
  path,
  headers: { ...AUTHORIZATION, 'content-type': mediaType },
  body: JSON.stringify(document),
});

const APPLY = 'application/apply-patch+yaml';
/** One field of an object that has many. */
const ONE_FIELD = { data: { serial: SERIAL } };
const mergePatch = patching('application/merge-patch+json', `${CONFIG_MAPS}/stored-${OBJECT}`, ONE_FIELD);
const application = patching(APPLY, `${CONFIG_MAPS}/stored-${OBJECT}?fieldManager=bench&force=true`, {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  ...ONE_FIELD,
});
const CROWDED = 100;
const podApplication = (ownerUid) =>
  patching(APPLY, `${PODS}/crowded-${OBJECT}?fieldManager=bench`, crowdedPod(SERIAL, ownerUid));

const siteCreation = writing('POST', SITES, site(`created-${SERIAL}`, SERIAL));
const siteStoring = writing('POST', SITES, site(`stored-${SERIAL}`, '0'));
const sitePatch = patching('application/merge-patch+json', `${SITES}/stored-${OBJECT}`, { spec: { serial: SERIAL } });
const siteApplication = patching(APPLY, `${SITES}/stored-${OBJECT}?fieldManager=bench&force=true`, {
  kind: 'Site',
  apiVersion: 'bench.example.org/v1',
  spec: { serial: SERIAL },
});

const NAMESPACE_OBJECT = { metadata: { name: 'bench' } };

/** The namespace, and in it the account that pods run under. */
async function makeNamespace({ ours }) {
  await ours.call('POST', '/api/v1/namespaces', NAMESPACE_OBJECT);
  await ours.call('POST', `${NAMESPACE}/serviceaccounts`, ACCOUNT);
}

/** The same, and what pods belong to; its uid. */
async function makeNamespaceOfPods(planes) {
  await makeNamespace(planes);
  const { body } = await planes.ours.call('POST', REPLICA_SETS, OWNER);
  return JSON.parse(body).metadata.uid;
}

/** Stores numbered ConfigMaps; the generator is new, so that its numbers begin at 0. */
async function store({ ours }, generator, count, request = storing) {
  await makeNamespace({ ours });
  const job = { protocol: 'h1', port: ours.port, connections: 32, streams: 1, count };
  await generator.ask('load', { ...job, request });
}

async function untilServed(plane, path) {
  for (let tries = 0; tries < 500; tries++) {
    if (await plane.call('GET', path).catch(() => undefined)) return;
    await sleep(10);
  }
  throw new Error(`${path} is not served`);
}

/** Defines a custom kind, and stores numbered objects of it. */
async function storeSites(planes, generator, count) {
  const { ours } = planes;
  await ours.call('POST', DEFINITIONS, siteDefinition);
  await untilServed(ours, SITES);
  await store(planes, generator, count, siteStoring);
}

/** Has every one of so many objects made by the request that is measured later. */
async function applyToAll({ ours }, generator, request, objects) {
  const job = { protocol: 'h1', port: ours.port, connections: 32, streams: 1, count: objects };
  await generator.ask('load', { ...job, request, objects });
}

async function readOf({ ours }, path, kind = 'read') {
  return { kind, request: reading(path), answer: await ours.call('GET', path) };
}

/** A write whose answer is taken from one that is done by hand. */
async function writeOf(planes, request, objects = 1) {
  const text = JSON.stringify(request).replaceAll(SERIAL, digits(99_999_999)).replaceAll(OBJECT, digits(0));
  const { method, path, body, headers } = JSON.parse(text);
  const answer = await planes.ours.call(method, path, JSON.parse(body), headers);
  return { kind: 'write', request, objects, answer };
}

/** Every workload gets servers of its own; `prepare` fills them and says what to send and what the floor answers. */
export const workloads = [
  {
    name: 'get configmap',
    async prepare(planes, generator) {
      await store(planes, generator, 100);
      return readOf(planes, `${CONFIG_MAPS}/stored-${digits(50)}`);
    },
  },
  {
    name: 'get pod',
    async prepare(planes) {
      const { ours } = planes;
      const { body } = await ours.call('POST', PODS, pod('shop', await makeNamespaceOfPods(planes)));
      await ours.call('PUT', `${PODS}/shop/status`, { ...JSON.parse(body), status: podStatus });
      return readOf(planes, `${PODS}/shop`);
    },
  },
  {
    name: 'list 500',
    async prepare(planes, generator) {
      await store(planes, generator, STORED);
      return readOf(planes, `${CONFIG_MAPS}?limit=500`, 'list');
    },
  },
  {
    name: 'list 5000',
    async prepare(planes, generator) {
      await store(planes, generator, STORED);
      return readOf(planes, CONFIG_MAPS, 'list');
    },
  },
  {
    name: 'list 500 at a version',
    async prepare(planes, generator) {
      await store(planes, generator, STORED);
      const { body } = await planes.ours.call('GET', `${CONFIG_MAPS}?limit=1`);
      const { resourceVersion } = JSON.parse(body).metadata;
      // From then on every second object is another one.
      for (let at = 0; at < 500; at += 2) {
        const name = `stored-${digits(at)}`;
        await planes.ours.call('PUT', `${CONFIG_MAPS}/${name}`, configMap(name, 'later'));
      }
      return readOf(planes, `${CONFIG_MAPS}?limit=500&resourceVersion=${resourceVersion}`, 'list');
    },
  },
  {
    name: 'update configmap',
    async prepare(planes, generator) {
      await store(planes, generator, UPDATED);
      return writeOf(planes, update, UPDATED);
    },
  },
  {
    name: 'merge patch configmap',
    async prepare(planes, generator) {
      await store(planes, generator, UPDATED);
      return writeOf(planes, mergePatch, UPDATED);
    },
  },
  {
    name: 'apply to configmap',
    async prepare(planes, generator) {
      await store(planes, generator, UPDATED);
      return writeOf(planes, application, UPDATED);
    },
  },
  {
    name: 'apply pod of 20',
    // Larger than what the HTTP/2 client may have under way.
    protocols: ['h1'],
    async prepare(planes, generator) {
      const application = podApplication(await makeNamespaceOfPods(planes));
      await applyToAll(planes, generator, application, CROWDED);
      return writeOf(planes, application, CROWDED);
    },
  },
  {
    name: 'watch fan-out',
    async prepare(planes, generator) {
      await store(planes, generator, UPDATED);
      const job = await writeOf(planes, update, UPDATED);
      const answer = { ...job.answer, frame: frameOf(job.answer.body) };
      return { ...job, kind: 'watch', answer, count: EVENTS, watchFromNow: () => watchFromNow(planes) };
    },
  },
  {
    name: 'create configmap',
    async prepare(planes, generator) {
      await store(planes, generator, 100);
      return writeOf(planes, creation);
    },
  },
  {
    name: 'create custom object',
    async prepare(planes, generator) {
      await storeSites(planes, generator, 100);
      return writeOf(planes, siteCreation);
    },
  },
  {
    // An update of a custom object must name the version that it replaces.
    name: 'merge patch custom object',
    async prepare(planes, generator) {
      await storeSites(planes, generator, UPDATED);
      return writeOf(planes, sitePatch, UPDATED);
    },
  },
  {
    name: 'apply to custom object',
    async prepare(planes, generator) {
      await storeSites(planes, generator, UPDATED);
      return writeOf(planes, siteApplication, UPDATED);
    },
  },
  {
    name: 'list 500 custom objects',
    async prepare(planes, generator) {
      await storeSites(planes, generator, STORED);
      return readOf(planes, `${SITES}?limit=500`, 'list');
    },
  },
  {
    name: 'create pod',
    async prepare(planes) {
      return writeOf(planes, podCreation(await makeNamespaceOfPods(planes)));
    },
  },
];

const frameOf = (bytes) => Buffer.from(`{"type":"MODIFIED","object":${bytes}}\n`);

async function watchFromNow({ ours }) {
  const { body } = await ours.call('GET', `${CONFIG_MAPS}?limit=1`);
  return reading(`${CONFIG_MAPS}?watch=1&resourceVersion=${JSON.parse(body).metadata.resourceVersion}`);
}
