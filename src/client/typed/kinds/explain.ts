import type { AccessExplanation as DeclaredAccessExplanation } from '../../../kinds/explain/access-explanation.ts';
import type { AdmissionExplanation as DeclaredAdmissionExplanation } from '../../../kinds/explain/admission-explanation.ts';
import type { ApplyPreview as DeclaredApplyPreview } from '../../../kinds/explain/apply-preview.ts';
import type { DeletionReview as DeclaredDeletionReview } from '../../../kinds/explain/deletion-review.ts';
import type { Denial as DeclaredDenial } from '../../../kinds/explain/denial.ts';
import type { FlowReview as DeclaredFlowReview } from '../../../kinds/explain/flow-review.ts';
import type { ObjectDiff as DeclaredObjectDiff } from '../../../kinds/explain/object-diff.ts';
import type { ObjectHistory as DeclaredObjectHistory } from '../../../kinds/explain/object-history.ts';
import type { ObjectRestore as DeclaredObjectRestore } from '../../../kinds/explain/object-restore.ts';
import type { OwnershipReview as DeclaredOwnershipReview } from '../../../kinds/explain/ownership-review.ts';
import type { PlaneFigures as DeclaredPlaneFigures } from '../../../kinds/explain/plane-figures.ts';
import type { RememberedRequest as DeclaredRememberedRequest } from '../../../kinds/explain/request.ts';
import type { SubjectRulesReview as DeclaredSubjectRulesReview } from '../../../kinds/explain/subject-rules-review.ts';
import type { WhoCanReview as DeclaredWhoCanReview } from '../../../kinds/explain/who-can-review.ts';
import type { WriteActivity as DeclaredWriteActivity } from '../../../kinds/explain/write-activity.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup } from '../object-kind.ts';

const explain = inGroup(vocabularies.platform.groups.explain, 'v1alpha1');

export type SubjectRulesReview = DeclaredSubjectRulesReview;
export const SubjectRulesReview = explain.clusterWide<SubjectRulesReview>('SubjectRulesReview', 'subjectrulesreviews');

export type ObjectDiff = DeclaredObjectDiff;
export const ObjectDiff = explain.clusterWide<ObjectDiff>('ObjectDiff', 'objectdiffs');

export type ObjectHistory = DeclaredObjectHistory;
export const ObjectHistory = explain.clusterWide<ObjectHistory>('ObjectHistory', 'objecthistories');

export type ObjectRestore = DeclaredObjectRestore;
export const ObjectRestore = explain.clusterWide<ObjectRestore>('ObjectRestore', 'objectrestores');

export type PlaneFigures = DeclaredPlaneFigures;
export const PlaneFigures = explain.clusterWide<PlaneFigures>('PlaneFigures', 'planefigures');

export type WhoCanReview = DeclaredWhoCanReview;
export const WhoCanReview = explain.clusterWide<WhoCanReview>('WhoCanReview', 'whocanreviews');

export type AccessExplanation = DeclaredAccessExplanation;
export const AccessExplanation = explain.clusterWide<AccessExplanation>('AccessExplanation', 'accessexplanations');

export type Denial = DeclaredDenial;
export const Denial = explain.clusterWide<Denial>('Denial', 'denials');
export type ApplyPreview = DeclaredApplyPreview;
export const ApplyPreview = explain.clusterWide<ApplyPreview>('ApplyPreview', 'applypreviews');

export type OwnershipReview = DeclaredOwnershipReview;
export const OwnershipReview = explain.clusterWide<OwnershipReview>('OwnershipReview', 'ownershipreviews');

export type DeletionReview = DeclaredDeletionReview;
export const DeletionReview = explain.clusterWide<DeletionReview>('DeletionReview', 'deletionreviews');
export type FlowReview = DeclaredFlowReview;
export const FlowReview = explain.clusterWide<FlowReview>('FlowReview', 'flowreviews');

export type RememberedRequest = DeclaredRememberedRequest;
export const RememberedRequest = explain.clusterWide<RememberedRequest>('RememberedRequest', 'requests');

export type AdmissionExplanation = DeclaredAdmissionExplanation;
export const AdmissionExplanation = explain.clusterWide<AdmissionExplanation>(
  'AdmissionExplanation',
  'admissionexplanations',
);

export type WriteActivity = DeclaredWriteActivity;
export const WriteActivity = explain.clusterWide<WriteActivity>('WriteActivity', 'writeactivities');
