import { internalBecause } from '../../api/errors.ts';
import type { Namespace } from '../../kinds/core/namespace/namespace.ts';
import { Toleration } from '../../kinds/core/node/taint.ts';
import { Pod } from '../../kinds/core/pod/pod.ts';
import { qosClassOf } from '../../kinds/core/pod/qos-class.ts';
import type { Objects } from '../../registry/objects.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { draftOf } from '../../schema/draft.ts';
import { isObject } from '../../schema/json-object.ts';
import { list } from '../../schema/schema.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';
import { type MutatingWrite, onKind, type WriteRequest } from '../rule.ts';
import { mergeTolerations, TolerationSet } from './tolerations.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };

type Tolerations = readonly Toleration[];

/** What holds in namespaces whose annotations say nothing. */
export interface UsualTolerations {
  readonly usual: Tolerations;
  /** Empty: all are allowed. */
  readonly allowed: Tolerations;
}

/**
 * Gives pods the tolerations that are usual in their namespace, and lets them have no others than those that are allowed
 * there. Annotations of the namespace say so, else the configuration.
 */
export function podTolerationRestriction(
  objects: Objects,
  { annotations, taints }: Vocabulary,
  { usual, allowed }: UsualTolerations,
): AdmissionPlugin {
  // Who was promised memory is not sent away where others run short of it.
  const promised: Toleration = { key: taints.memoryPressure, operator: 'Exists', effect: 'NoSchedule' };
  const check = (request: WriteRequest<Pod>): void => {
    const own = annotated(objects, request.namespace, annotations.namespaceTolerationsWhitelist);
    demandAllowed(request, own ?? allowed, own ? 'namespace' : 'cluster');
  };
  const fillIn = (request: MutatingWrite<Pod>, given: Tolerations): void => {
    const { spec } = request.object;
    const own = qosClassOf(spec) === 'BestEffort' ? [] : [promised];
    const merged = mergeTolerations([...given, ...own], spec.tolerations ?? []);
    if (merged.length > 0) spec.tolerations = draftOf(merged);
    check(request);
  };
  return {
    rules: [
      onKind(Pod).mutate({
        create: (request) =>
          fillIn(request, annotated(objects, request.namespace, annotations.namespaceDefaultTolerations) ?? usual),
        update: (request) => fillIn(request, []),
      }),
      onKind(Pod).validate({ write: check }),
    ],
  };
}

function demandAllowed(request: WriteRequest<Pod>, allowed: Tolerations, whose: string): void {
  if (allowed.length === 0) return;
  const wide = new TolerationSet(allowed);
  if ((request.object.spec.tolerations ?? []).every((one) => wide.includes(one))) return;
  throw refusal(
    request,
    `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${whose} whitelist`,
  );
}

/** Undefined when the namespace says nothing; an empty text says that there are none. */
function annotated(objects: Objects, namespace: string, key: string): Tolerations | undefined {
  const text = objects.get<Namespace>(NAMESPACES, '', namespace)?.metadata.annotations?.[key];
  if (text === undefined) return undefined;
  if (text === '') return [];
  try {
    return readTolerations(JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw internalBecause(`the annotation ${key} of the namespace ${namespace} is no list of tolerations: ${why}`);
  }
}

const Tolerations = list(Toleration);

/** Throws when the value is no list of tolerations. */
function readTolerations(value: unknown): Tolerations {
  if (!Array.isArray(value)) throw new Error('a list is wanted');
  return canonicalise(Tolerations, value).value ?? [];
}

/** Throws an Error of one line. */
export function readUsualTolerations(given: unknown, { configGroups }: Vocabulary): UsualTolerations {
  if (given === undefined) return { usual: [], allowed: [] };
  const wanted = `${configGroups.podTolerationRestriction}/v1alpha1`;
  const document = isObject(given) ? given : {};
  if (document.kind !== 'Configuration' || document.apiVersion !== wanted) {
    throw new Error(`a Configuration of ${wanted} is wanted`);
  }
  return { usual: readTolerations(document.default ?? []), allowed: readTolerations(document.whitelist ?? []) };
}
