#!/usr/bin/env node
// unused-config-maps.mjs NAMESPACE [--delete]
//
// Prints the config maps of a namespace that no pod there mounts or reads, one a line, and deletes them if told to. It
// talks with the plane through kubectl, and so with the one that KUBECONFIG names.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** As much as the objects of a namespace may have in JSON. */
const MOST_BYTES = 256 * 2 ** 20;

/** Put into every namespace by the control plane itself. */
const PUBLISHED = ['kube-root-ca.crt'];

const kubectl = async (...args) => (await promisify(execFile)('kubectl', args, { maxBuffer: MOST_BYTES })).stdout;

function usedBy({ volumes = [], containers = [], initContainers = [] }) {
  const sources = volumes.flatMap(({ configMap, projected }) => [
    configMap,
    ...(projected?.sources ?? []).map((source) => source.configMap),
  ]);
  for (const { env = [], envFrom = [] } of [...containers, ...initContainers]) {
    sources.push(...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef), ...envFrom.map((one) => one.configMapRef));
  }
  return sources.flatMap((source) => (source ? [source.name] : []));
}

async function unusedConfigMaps(namespace) {
  const { items } = JSON.parse(await kubectl('get', 'configmaps,pods', '--namespace', namespace, '--output=json'));
  const used = new Set(items.filter(({ kind }) => kind === 'Pod').flatMap(({ spec }) => usedBy(spec)));
  return items
    .filter(({ kind }) => kind === 'ConfigMap')
    .map(({ metadata }) => metadata.name)
    .filter((name) => !used.has(name) && !PUBLISHED.includes(name));
}

const [namespace, option] = process.argv.slice(2);
if (namespace === undefined || (option !== undefined && option !== '--delete')) {
  console.error('usage: unused-config-maps.mjs NAMESPACE [--delete]');
  process.exitCode = 2;
} else {
  try {
    const unused = await unusedConfigMaps(namespace);
    for (const name of unused) console.log(name);
    if (option && unused.length > 0) await kubectl('delete', 'configmap', '--namespace', namespace, '--', ...unused);
  } catch (error) {
    console.error(error.stderr || error.message);
    process.exitCode = 1;
  }
}
