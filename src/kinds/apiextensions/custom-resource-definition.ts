import { bool, int32, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { CustomResourceConversion } from './conversion.ts';
import { jsonSchemaProps } from './json-schema.ts';
import { perVocabulary } from './per-vocabulary.ts';

export const CustomResourceColumnDefinition = struct('apiextensions.v1.CustomResourceColumnDefinition', {
  name: f(1, string().required()),
  type: f(2, string().required()),
  format: f(3, string()),
  description: f(4, string()),
  priority: f(5, int32()),
  jsonPath: f(6, string().required()),
});
export type CustomResourceColumnDefinition = Infer<typeof CustomResourceColumnDefinition>;

export const CustomResourceSubresourceScale = struct('apiextensions.v1.CustomResourceSubresourceScale', {
  specReplicasPath: f(1, string().required()),
  statusReplicasPath: f(2, string().required()),
  labelSelectorPath: f(3, string().optional()),
});
export type CustomResourceSubresourceScale = Infer<typeof CustomResourceSubresourceScale>;

export const CustomResourceSubresourceStatus = struct('apiextensions.v1.CustomResourceSubresourceStatus', {});
export type CustomResourceSubresourceStatus = Infer<typeof CustomResourceSubresourceStatus>;

export const CustomResourceSubresources = struct('apiextensions.v1.CustomResourceSubresources', {
  status: f(1, CustomResourceSubresourceStatus.optional()),
  scale: f(2, CustomResourceSubresourceScale.optional()),
});
export type CustomResourceSubresources = Infer<typeof CustomResourceSubresources>;

export const CustomResourceDefinitionNames = struct('apiextensions.v1.CustomResourceDefinitionNames', {
  plural: f(1, string().required()),
  singular: f(2, string()),
  shortNames: f(3, list(string())),
  kind: f(4, string().required()),
  listKind: f(5, string()),
  categories: f(6, list(string())),
});
export type CustomResourceDefinitionNames = Infer<typeof CustomResourceDefinitionNames>;

export const CustomResourceDefinitionCondition = struct('apiextensions.v1.CustomResourceDefinitionCondition', {
  type: f(1, string().required()),
  status: f(2, string().required()),
  lastTransitionTime: f(3, time()),
  reason: f(4, string()),
  message: f(5, string()),
});
export type CustomResourceDefinitionCondition = Infer<typeof CustomResourceDefinitionCondition>;

export const CustomResourceDefinitionStatus = struct('apiextensions.v1.CustomResourceDefinitionStatus', {
  conditions: f(1, list(CustomResourceDefinitionCondition).always().mapBy('type')),
  acceptedNames: f(2, CustomResourceDefinitionNames),
  storedVersions: f(3, list(string()).always()),
});
export type CustomResourceDefinitionStatus = Infer<typeof CustomResourceDefinitionStatus>;

const customResourceValidation = perVocabulary((vocabulary) =>
  struct('apiextensions.v1.CustomResourceValidation', {
    openAPIV3Schema: f(1, jsonSchemaProps(vocabulary).optional()),
  }),
);
export type CustomResourceValidation = Infer<ReturnType<typeof customResourceValidation>>;

const customResourceDefinitionVersion = perVocabulary((vocabulary) =>
  struct('apiextensions.v1.CustomResourceDefinitionVersion', {
    name: f(1, string().required()),
    served: f(2, bool().required()),
    storage: f(3, bool().required()),
    deprecated: f(7, bool()),
    deprecationWarning: f(8, string().optional()),
    schema: f(4, customResourceValidation(vocabulary).optional()),
    subresources: f(5, CustomResourceSubresources.optional()),
    additionalPrinterColumns: f(6, list(CustomResourceColumnDefinition)),
  }),
);
export type CustomResourceDefinitionVersion = Infer<ReturnType<typeof customResourceDefinitionVersion>>;

const customResourceDefinitionSpec = perVocabulary((vocabulary) =>
  struct(
    'apiextensions.v1.CustomResourceDefinitionSpec',
    {
      group: f(1, string().required(), 'The API group of the kind.'),
      names: f(3, CustomResourceDefinitionNames.required(), 'What the kind is called.'),
      scope: f(4, string().required(), 'Within namespaces or not.'),
      versions: f(
        7,
        list(customResourceDefinitionVersion(vocabulary)).required(),
        'Its versions; exactly one is stored.',
      ),
      conversion: f(
        9,
        CustomResourceConversion.optional().default({ strategy: 'None' }),
        'How one version becomes another.',
      ),
      preserveUnknownFields: f(10, bool()),
    },
    {
      defaults({ names }) {
        names.singular ||= names.kind.toLowerCase();
        if (names.kind) names.listKind ||= `${names.kind}List`;
      },
    },
  ),
);
export type CustomResourceDefinitionSpec = Infer<ReturnType<typeof customResourceDefinitionSpec>>;

export const customResourceDefinition = perVocabulary((vocabulary) =>
  kind(
    'apiextensions.v1.CustomResourceDefinition',
    {
      metadata: f(1, ObjectMeta),
      spec: f(2, customResourceDefinitionSpec(vocabulary).required()),
      status: f(3, CustomResourceDefinitionStatus),
    },
    {
      description: 'Adds a kind of object to the API.',
      defaults({ spec, status }) {
        const stored = spec.versions?.find(({ storage }) => storage);
        if (stored) status.storedVersions ??= [stored.name];
      },
    },
  ),
);
export type CustomResourceDefinition = Infer<ReturnType<typeof customResourceDefinition>>;
