import { pathSegment } from '../../meta/formats.ts';
import { type ApiObject, type Column, type ResourceType, resourceType } from '../../registry/resource-type.ts';
import type { Struct } from '../../schema/schema.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { AccessExplanation } from './access-explanation.ts';
import { AdmissionExplanation } from './admission-explanation.ts';
import { ApplyPreview } from './apply-preview.ts';
import { denialColumns } from './columns.ts';
import { DeletionReview } from './deletion-review.ts';
import { Denial } from './denial.ts';
import { FlowReview } from './flow-review.ts';
import { ObjectDiff } from './object-diff.ts';
import { ObjectHistory } from './object-history.ts';
import { ObjectRestore } from './object-restore.ts';
import { OwnershipReview } from './ownership-review.ts';
import { PlaneFigures, planeFiguresColumns } from './plane-figures.ts';
import { RememberedRequest, requestColumns } from './request.ts';
import { SubjectRulesReview } from './subject-rules-review.ts';
import { WhoCanReview } from './who-can-review.ts';
import { WriteActivity, writeActivityColumns } from './write-activity.ts';

/** Questions about what the server holds, and what it remembers of requests. Nothing of this group is stored. */
export function explainResources(v: Vocabulary): readonly ResourceType[] {
  const common = {
    group: v.groups.explain,
    version: 'v1alpha1',
    servedByDefault: true,
    nameRule: pathSegment,
    namespaced: false,
  } as const;
  const question = <T extends ApiObject>(kind: string, plural: string, schema: Struct<T>): ResourceType =>
    resourceType<T>({ ...common, kind, plural, schema, verbs: ['create'] });
  const remembered = <T extends ApiObject>(
    kind: string,
    plural: string,
    schema: Struct<T>,
    columns: readonly Column<T>[],
  ): ResourceType => resourceType<T>({ ...common, kind, plural, schema, columns, verbs: ['get', 'list'] });
  return [
    question('AccessExplanation', 'accessexplanations', AccessExplanation),
    question('AdmissionExplanation', 'admissionexplanations', AdmissionExplanation),
    question('ApplyPreview', 'applypreviews', ApplyPreview),
    question('DeletionReview', 'deletionreviews', DeletionReview),
    remembered('Denial', 'denials', Denial, denialColumns),
    question('FlowReview', 'flowreviews', FlowReview),
    question('ObjectDiff', 'objectdiffs', ObjectDiff),
    question('ObjectHistory', 'objecthistories', ObjectHistory),
    question('ObjectRestore', 'objectrestores', ObjectRestore),
    question('OwnershipReview', 'ownershipreviews', OwnershipReview),
    remembered('PlaneFigures', 'planefigures', PlaneFigures, planeFiguresColumns),
    remembered('RememberedRequest', 'requests', RememberedRequest, requestColumns),
    question('SubjectRulesReview', 'subjectrulesreviews', SubjectRulesReview),
    question('WhoCanReview', 'whocanreviews', WhoCanReview),
    remembered('WriteActivity', 'writeactivities', WriteActivity, writeActivityColumns),
  ];
}
