import { internalBecause } from '../../api/errors.ts';
import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import { Pod } from '../../kinds/core/pod/pod.ts';
import { labelValue, qualifiedName } from '../../meta/formats.ts';
import type { Objects } from '../../registry/objects.ts';
import { isObject } from '../../schema/json-object.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { type CreateRequest, type MutatingCreate, onKind } from '../rule.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };
const FOR_ALL = 'clusterDefaultNodeSelector';

type Labels = Readonly<Record<string, string>>;

/** What pods may select nodes by, by namespace; under `FOR_ALL` what those of other namespaces select. */
export type NodeSelectors = ReadonlyMap<string, Labels>;

/**
 * Pods run on the nodes that are meant for their namespace: those its annotation selects, else those that the
 * configuration selects for all. What the configuration says about one namespace is all that its pods may select by.
 */
export function podNodeSelector(objects: Objects, vocabulary: Vocabulary, configured: NodeSelectors): AdmissionPlugin {
  const labelsFor = (namespace: string): Labels => selectedFor(namespace, objects, vocabulary, configured);
  const check = (request: CreateRequest<Pod>): void => {
    const { namespace } = request;
    checkSelector(request, labelsFor(namespace), configured.get(namespace) ?? {});
  };
  const fillIn = (request: MutatingCreate<Pod>): void => {
    const { spec } = request.object;
    const merged = { ...labelsFor(request.namespace), ...spec.nodeSelector };
    check(request);
    if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
  };
  return { rules: [onKind(Pod).mutate({ create: fillIn }), onKind(Pod).validate({ create: check })] };
}

function selectedFor(
  namespace: string,
  objects: Objects,
  { annotations }: Vocabulary,
  configured: NodeSelectors,
): Labels {
  const found = objects.get<Namespace>(NAMESPACES, '', namespace);
  const text = found?.metadata.annotations?.[annotations.namespaceNodeSelector];
  if (text === undefined) return configured.get(FOR_ALL) ?? {};
  const labels = readLabels(text);
  if (!labels) throw internalBecause(`the namespace ${namespace} has an invalid selector: ${text}`);
  return labels;
}

/** `wanted`: what the namespace selects. `allowed`: all that its pods may select by, if it says anything. */
function checkSelector(request: CreateRequest<Pod>, wanted: Labels, allowed: Labels): void {
  const selected = request.object.spec.nodeSelector ?? {};
  if (Object.entries(wanted).some(([key, value]) => Object.hasOwn(selected, key) && selected[key] !== value)) {
    throw refusal(request, 'pod node label selector conflicts with its namespace node label selector');
  }
  const isAllowed = ([key, value]: [string, string]): boolean => Object.hasOwn(allowed, key) && allowed[key] === value;
  if (Object.keys(allowed).length > 0 && !Object.entries({ ...wanted, ...selected }).every(isAllowed)) {
    throw refusal(request, 'pod node label selector labels conflict with its namespace whitelist');
  }
}

/** Throws an Error of one line. */
export function readNodeSelectors(given: unknown): NodeSelectors {
  const { podNodeSelectorPluginConfig: selectors = {} } = isObject(given) ? given : {};
  if (!isObject(selectors)) throw new Error('podNodeSelectorPluginConfig must be an object');
  const entries = Object.entries(selectors).map(([namespace, text]) => {
    const labels = typeof text === 'string' ? readLabels(text) : undefined;
    if (!labels) throw new Error(`podNodeSelectorPluginConfig.${namespace} must be a list of labels such as a=b,c=d`);
    return [namespace, labels] as const;
  });
  return new Map(entries);
}

/** Labels as `a=b,c=d`; undefined when they are not. */
function readLabels(text: string): Labels | undefined {
  if (text.trim() === '') return {};
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  const isFine = ([key = '', value = '', ...more]: string[]): boolean =>
    more.length === 0 && qualifiedName(key) === undefined && labelValue(value) === undefined;
  if (!pairs.every((pair) => pair.length === 2 && isFine(pair))) return undefined;
  return Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value]));
}
