import type { CustomResourceDefinition as DeclaredCustomResourceDefinition } from '../../../kinds/apiextensions/custom-resource-definition.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { inGroup, type ObjectKind } from '../object-kind.ts';

const { groups } = vocabularies.platform;
const apiextensions = inGroup(groups.apiextensions, 'v1');

export type CustomResourceDefinition = DeclaredCustomResourceDefinition;
export const CustomResourceDefinition: ObjectKind<CustomResourceDefinition, false> = apiextensions.clusterWide(
  'CustomResourceDefinition',
  'customresourcedefinitions',
);
