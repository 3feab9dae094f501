import { internalBecause } from '../api/errors.ts';
import type { Namespace } from '../kinds/core/namespace/namespace.ts';
import { Toleration } from '../kinds/core/node/taint.ts';
import type { Pod } from '../kinds/core/pod/pod.ts';
import { qosClassOf } from '../kinds/core/pod/qos-class.ts';
import type { AdmissionRequest, MutatingRequest } from '../registry/admission.ts';
import type { Objects } from '../registry/objects.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { type Draft, draftOf } from '../schema/draft.ts';
import { list } from '../schema/schema.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './refusal.ts';
import { mergeTolerations, TolerationSet } from './tolerations.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

type Tolerations = readonly Toleration[];

/**
 * Gives pods the tolerations that are usual in their namespace, and lets them have no others than those that are allowed
 * there. Annotations of the namespace say so, else the configuration.
 */
export class PodTolerationRestriction implements AdmissionPlugin {
  readonly name = 'PodTolerationRestriction';
  readonly operations = ['CREATE', 'UPDATE'] as const;
  private readonly objects: Objects;
  private readonly vocabulary: Vocabulary;
  private readonly usual: Tolerations;
  private readonly allowed: Tolerations;

  constructor(objects: Objects, vocabulary: Vocabulary, configuration: unknown) {
    this.objects = objects;
    this.vocabulary = vocabulary;
    const { usual, allowed } = readConfiguration(configuration, vocabulary);
    this.usual = usual;
    this.allowed = allowed;
  }

  concerns({ group, plural }: ResourceType, subresource: string): boolean {
    return group === '' && plural === 'pods' && subresource === '';
  }

  mutate(request: MutatingRequest): void {
    const { operation, namespace } = request;
    const { annotations, taints } = this.vocabulary;
    const { spec } = request.object as Draft<Pod>;
    const given =
      operation === 'CREATE' ? (this.annotated(namespace, annotations.namespaceDefaultTolerations) ?? this.usual) : [];
    // Who was promised memory is not sent away where others run short of it.
    const promised: Toleration = { key: taints.memoryPressure, operator: 'Exists', effect: 'NoSchedule' };
    const own = qosClassOf(spec) === 'BestEffort' ? [] : [promised];
    const merged = mergeTolerations([...given, ...own], spec.tolerations ?? []);
    if (merged.length > 0) spec.tolerations = draftOf(merged);
    this.validate(request);
  }

  validate(request: AdmissionRequest): void {
    const { namespace } = request;
    const own = this.annotated(namespace, this.vocabulary.annotations.namespaceTolerationsWhitelist);
    const allowed = own ?? this.allowed;
    const tolerations = (request.object as Pod).spec.tolerations ?? [];
    if (allowed.length === 0) return;
    const wide = new TolerationSet(allowed);
    if (tolerations.every((one) => wide.includes(one))) return;
    const whose = own ? 'namespace' : 'cluster';
    throw refusal(
      request,
      `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${whose} whitelist`,
    );
  }

  /** Undefined when the namespace says nothing; an empty text says that there are none. */
  private annotated(namespace: string, key: string): Tolerations | undefined {
    const text = this.objects.get<Namespace>(NAMESPACES, '', namespace)?.metadata.annotations?.[key];
    if (text === undefined) return undefined;
    if (text === '') return [];
    try {
      return readTolerations(JSON.parse(text));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw internalBecause(`the annotation ${key} of the namespace ${namespace} is no list of tolerations: ${why}`);
    }
  }
}

const Tolerations = list(Toleration);

/** Throws when the value is no list of tolerations. */
function readTolerations(value: unknown): Tolerations {
  if (!Array.isArray(value)) throw new Error('a list is wanted');
  return canonicalise(Tolerations, value).value ?? [];
}

interface Configuration {
  readonly usual: Tolerations;
  readonly allowed: Tolerations;
}

function readConfiguration(given: unknown, { configGroups }: Vocabulary): Configuration {
  if (given === undefined) return { usual: [], allowed: [] };
  const wanted = `${configGroups.podTolerationRestriction}/v1alpha1`;
  const document: { readonly [key: string]: unknown } = typeof given === 'object' && given !== null ? { ...given } : {};
  if (document.kind !== 'Configuration' || document.apiVersion !== wanted) {
    throw new Error(`a Configuration of ${wanted} is wanted`);
  }
  return { usual: readTolerations(document.default ?? []), allowed: readTolerations(document.whitelist ?? []) };
}
