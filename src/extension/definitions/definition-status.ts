import type {
  CustomResourceDefinition,
  CustomResourceDefinitionStatus,
} from '../../kinds/apiextensions/custom-resource-definition.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { conditionOf, type Finding, withCondition, withConditions, withoutCondition } from './conditions.ts';
import { acceptNames, type Conflict, type UsedNames } from './used-names.ts';

export interface StatusSurroundings {
  readonly used: UsedNames;
  readonly vocabulary: Vocabulary;
  /** The time as objects hold it. */
  readonly now: string;
}

/** What the server makes of a definition: its names, and whether it is served. The very same when nothing is new. */
export function statusOf(
  definition: CustomResourceDefinition,
  { used, vocabulary, now }: StatusSurroundings,
): CustomResourceDefinitionStatus {
  const { names, conflict } = acceptNames(definition, used);
  let { conditions } = definition.status;
  const note = (finding: Finding): void => {
    conditions = [...withCondition(conditions, finding, now)];
  };
  note(namesAccepted(conflict));
  note(established(definition, conflict));
  for (const [type, finding] of [
    ['NonStructuralSchema', nonStructural(definition)] as const,
    [vocabulary.conditions.apiApproval, approval(definition, vocabulary)] as const,
  ]) {
    if (finding) note({ type, ...finding });
    else conditions = [...(withoutCondition(conditions, type) ?? [])];
  }
  const status = withConditions(definition.status, conditions);
  const isSame = JSON.stringify(definition.status.acceptedNames) === JSON.stringify(names);
  return isSame ? status : { ...status, acceptedNames: names };
}

const namesAccepted = (conflict: Conflict | undefined): Finding =>
  conflict
    ? { type: 'NamesAccepted', status: 'False', ...conflict }
    : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };

/** Once established, a definition stays so: there may be objects. */
function established(definition: CustomResourceDefinition, conflict: Conflict | undefined): Finding {
  const before = conditionOf(definition, 'Established');
  if (before?.status === 'True') return before;
  if (conflict) {
    return { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  }
  const message = 'the initial names have been accepted';
  return { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message };
}

type Finds = Omit<Finding, 'type'> | undefined;

/** Definitions of earlier times may keep unknown fields everywhere, which no structural schema does. */
function nonStructural({ spec }: CustomResourceDefinition): Finds {
  if (!spec.preserveUnknownFields) return undefined;
  const message = 'spec.preserveUnknownFields: Invalid value: true: must be false';
  return { status: 'True', reason: 'Violations', message };
}

/** Groups of the maker's own domain are for whoever can point to an approval. */
function approval({ metadata, spec }: CustomResourceDefinition, v: Vocabulary): Finds {
  if (!v.reserves(spec.group)) return undefined;
  const key = v.annotations.apiApproved;
  const text = metadata.annotations?.[key] ?? '';
  if (text === '') {
    const message = `protected groups must have approval annotation "${key}"`;
    return { status: 'False', reason: 'MissingAnnotation', message };
  }
  if (text.startsWith('unapproved')) {
    return { status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${JSON.stringify(text)}` };
  }
  return URL.canParse(text)
    ? { status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${text}` }
    : {
        status: 'False',
        reason: 'InvalidAnnotation',
        message: `protected groups must have approval annotation "${key}" with either a URL or a reason starting with "unapproved"`,
      };
}
