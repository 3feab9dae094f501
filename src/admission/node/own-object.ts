import type { Node } from '../../kinds/core/node/node.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import { sameJson } from '../../schema/same-json.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { refusal } from '../refusal.ts';
import type { CreateRequest, UpdateRequest } from '../rule.ts';

type Labels = Readonly<Record<string, string>>;

/** Nodes write themselves and no other node; not their taints, nor labels by which others decide where to place what. */
export function checkNodeCreate(request: CreateRequest<Node>, node: string, vocabulary: Vocabulary): void {
  const { metadata, spec } = request.object;
  if (spec.configSource) {
    throw refusal(request, `node "${node}" is not allowed to create pods with a non-nil configSource`);
  }
  const labels = forbiddenAmong(changed(metadata.labels ?? {}, {}), vocabulary);
  if (labels.length > 0) {
    throw refusal(request, `node "${node}" is not allowed to set the following labels: ${labels.join(', ')}`);
  }
  demandItself(request, node, metadata.name ?? '');
}

export function checkNodeUpdate(request: UpdateRequest<Node>, node: string, vocabulary: Vocabulary): void {
  demandItself(request, node, request.name);
  const { metadata, spec } = request.object;
  const { metadata: oldMetadata, spec: oldSpec } = request.oldObject;
  if (spec.configSource && !sameJson(spec.configSource, oldSpec.configSource)) {
    throw refusal(request, `node "${node}" is not allowed to update configSource to a new non-nil configSource`);
  }
  if (!sameJson(spec.taints ?? [], oldSpec.taints ?? [])) {
    throw refusal(request, `node "${node}" is not allowed to modify taints`);
  }
  const labels = forbiddenAmong(changed(metadata.labels ?? {}, oldMetadata.labels ?? {}), vocabulary);
  if (labels.length > 0) throw refusal(request, `is not allowed to modify labels: ${labels.join(', ')}`);
}

/** `target`: the node that the request is about. */
export function demandItself(request: AdmissionRequest, node: string, target: string): void {
  if (target !== node) throw refusal(request, `node "${node}" is not allowed to modify node "${target}"`);
}

/** Keys that were added, removed or got another value, sorted. */
function changed(labels: Labels, old: Labels): string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(old)]);
  return [...keys].filter((key) => labels[key] !== old[key]).sort();
}

/** Reserved domains are closed to nodes, but for what only a node can know of itself. */
function forbiddenAmong(keys: readonly string[], { labels, prefixes, reserves }: Vocabulary): string[] {
  const own = new Set([
    labels.hostname,
    labels.zone,
    labels.region,
    labels.betaZone,
    labels.betaRegion,
    labels.instanceType,
    labels.betaInstanceType,
    labels.os,
    labels.arch,
    labels.betaOs,
    labels.betaArch,
  ]);
  const open = [domainOf(labels.kubeletPrefix), domainOf(prefixes.nodeKey)];
  const closed = domainOf(labels.nodeRestrictionPrefix);
  return keys.filter((key) => {
    const domain = domainOf(key);
    if (isWithin(domain, closed)) return true;
    return reserves(domain) && !own.has(key) && !open.some((one) => isWithin(domain, one));
  });
}

const domainOf = (key: string): string => (key.includes('/') ? key.slice(0, key.indexOf('/')) : '');

const isWithin = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);
