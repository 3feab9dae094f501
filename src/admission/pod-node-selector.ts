import { internalBecause } from '../api/errors.ts';
import type { Namespace } from '../kinds/core/namespace/namespace.ts';
import type { Pod } from '../kinds/core/pod/pod.ts';
import { labelValue, qualifiedName } from '../meta/formats.ts';
import type { AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { Draft } from '../schema/draft.ts';
import { isObject } from '../schema/json-object.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };
const FOR_ALL = 'clusterDefaultNodeSelector';

type Labels = Readonly<Record<string, string>>;

/**
 * Pods run on the nodes that are meant for their namespace: those its annotation selects, else those that the
 * configuration selects for all. What the configuration says about one namespace is all that its pods may select by.
 */
export class PodNodeSelector implements AdmissionPlugin {
  readonly name = 'PodNodeSelector';
  readonly operations = ['CREATE'] as const;
  private readonly objects: Objects;
  private readonly annotation: string;
  private readonly configured: ReadonlyMap<string, Labels>;

  constructor(objects: Objects, { annotations }: Vocabulary, configuration: unknown) {
    this.objects = objects;
    this.annotation = annotations.namespaceNodeSelector;
    this.configured = readConfiguration(configuration);
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && subresource === '';
  }

  mutate(request: MutatingRequest): void {
    const { spec } = request.object as Draft<Pod>;
    const merged = { ...this.labelsFor(request.namespace), ...spec.nodeSelector };
    this.validate(request);
    if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
  }

  validate(request: AdmissionRequest): void {
    const selected = (request.object as Pod).spec.nodeSelector ?? {};
    const wanted = this.labelsFor(request.namespace);
    if (Object.entries(wanted).some(([key, value]) => Object.hasOwn(selected, key) && selected[key] !== value)) {
      throw refusal(request, 'pod node label selector conflicts with its namespace node label selector');
    }
    const allowed = this.configured.get(request.namespace) ?? {};
    const isAllowed = ([key, value]: [string, string]): boolean =>
      Object.hasOwn(allowed, key) && allowed[key] === value;
    if (Object.keys(allowed).length > 0 && !Object.entries({ ...wanted, ...selected }).every(isAllowed)) {
      throw refusal(request, 'pod node label selector labels conflict with its namespace whitelist');
    }
  }

  private labelsFor(namespace: string): Labels {
    const text = this.objects.get<Namespace>(NAMESPACES, '', namespace)?.metadata.annotations?.[this.annotation];
    if (text === undefined) return this.configured.get(FOR_ALL) ?? {};
    const labels = readLabels(text);
    if (!labels) throw internalBecause(`the namespace ${namespace} has an invalid selector: ${text}`);
    return labels;
  }
}

function readConfiguration(given: unknown): ReadonlyMap<string, Labels> {
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
