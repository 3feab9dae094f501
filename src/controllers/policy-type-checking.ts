import { ApiError } from '../api/errors.ts';
import { DeclaredTypes } from '../cel/types/declared-types.ts';
import { WorkQueue } from '../client/controlling/work-queue.ts';
import { compileValidatingPolicy } from '../kinds/admissionregistration/policy/policy-compiler.ts';
import type {
  ExpressionWarning,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
} from '../kinds/admissionregistration/policy/validating-admission-policy.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import { apiVersionOf } from '../registry/incoming.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { inSteps, restEveryTurn, type Steps } from '../runtime/pacing.ts';
import { sameJson } from '../schema/same-json.ts';
import { type Controller, type ControllerParts, identityOf, servedType } from './controller.ts';

const NAME = 'validatingadmissionpolicy-status-controller';
const PLURAL = 'validatingadmissionpolicies';

/** The most kinds that the expressions of one policy are checked with. */
const MOST_TYPES = 10;
/** More of what is said of one expression is left out. */
const LONGEST_WARNING = 8 * 1024;

/** Says of every policy what in its expressions does not fit the kinds that it names, in its status. */
export function startPolicyTypeChecking(parts: ControllerParts): Controller {
  const { informer, catalogue, objects, runtime, vocabulary } = parts;
  const resource = { group: vocabulary.groups.admissionregistration, plural: PLURAL };
  const queue = new WorkQueue({
    runtime,
    meter: parts.queues.of(NAME),
    handle: (name) => checkTypes(parts, name),
    onError: (key, error) => parts.onError(NAME, key, error),
  });
  // Which kinds there are, and what they say, can change at any time.
  const checkAll = (): void => {
    for (const { metadata } of objects.list(resource)) queue.add(metadata.name ?? '');
  };
  const subscriptions = [
    informer.follow(resource, { onSet: ({ metadata }) => queue.add(metadata.name ?? '') }),
    catalogue.follow({ onAdd: checkAll, onReplace: checkAll, onRemove: checkAll }),
  ];
  return {
    close() {
      for (const subscription of subscriptions) subscription.close();
      return queue.close();
    },
  };
}

async function checkTypes(parts: ControllerParts, name: string): Promise<void> {
  const { objects, registry, catalogue, runtime, vocabulary } = parts;
  const type = servedType(parts, vocabulary.groups.admissionregistration, PLURAL);
  const policy = objects.get<ValidatingAdmissionPolicy>(type, '', name);
  if (!policy) return;
  const warnings = await inSteps(warningsOf(policy.spec, catalogue), restEveryTurn(runtime));
  const observedGeneration = policy.metadata.generation ?? 0;
  const typeChecking = warnings.length > 0 ? { expressionWarnings: warnings } : {};
  const { status } = policy;
  if (status.observedGeneration === observedGeneration && sameJson(status.typeChecking, typeChecking)) return;
  try {
    await registry.update(
      { type, namespace: '', name, subresource: 'status' },
      (current) => {
        const live = current as ValidatingAdmissionPolicy | undefined;
        // One that was changed meanwhile will be looked at again.
        if (!live || live.metadata.generation !== policy.metadata.generation) return live;
        return { ...live, status: { ...live.status, observedGeneration, typeChecking } };
      },
      identityOf(parts, NAME),
    );
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
  }
}

/** By field, what does not fit each of the kinds. */
function* warningsOf(spec: ValidatingAdmissionPolicySpec, catalogue: Catalogue): Steps<ExpressionWarning[]> {
  const texts = new Map<string, string>();
  const [params] = catalogue.named(spec.paramKind?.apiVersion ?? '', spec.paramKind?.kind ?? '');
  for (const checked of typesOf(spec, catalogue)) {
    const types = new DeclaredTypes();
    const object = types.of(checked.schema);
    const known = { object, oldObject: object, ...(params && { params: types.of(params.schema) }) };
    const onProblem = (path: { toString(): string }, _source: string, problem: string): void => {
      const field = path.toString();
      const text = `${apiVersionOf(checked)}, Kind=${checked.kind}: ${problem.replace(/^compilation failed: /, '')}`;
      const before = texts.get(field);
      texts.set(field, (before === undefined ? text : `${before}\n${text}`).slice(0, LONGEST_WARNING));
    };
    yield* compileValidatingPolicy(spec, onProblem, known);
    yield;
  }
  return Array.from(texts, ([fieldRef, warning]) => ({ fieldRef, warning }));
}

/** The types that the rules of a policy name one by one; stars name none. */
function typesOf({ matchConstraints }: ValidatingAdmissionPolicySpec, catalogue: Catalogue): readonly ResourceType[] {
  const found = new Set<ResourceType>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    for (const group of apiGroups) {
      for (const version of apiVersions) {
        for (const plural of resources) {
          const type = catalogue.find(group, version, plural);
          if (type) found.add(type);
          if (found.size === MOST_TYPES) return [...found];
        }
      }
    }
  }
  return [...found];
}
