import { Condition } from '../../meta/condition.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { describedLike } from '../../schema/described-like.ts';
import { bool, int32, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { CustomResourceConversion } from './conversion.ts';
import { jsonSchemaProps } from './json-schema.ts';
import { perVocabulary } from './per-vocabulary.ts';

export const CustomResourceColumnDefinition = struct(
  'apiextensions.v1.CustomResourceColumnDefinition',
  {
    name: f(1, string().required(), 'Heading of the column.'),
    type: f(2, string().required(), 'Type of the cells: string, integer, number, boolean or date.'),
    format: f(3, string(), 'Further detail of the type as in OpenAPI, such as int32 or date-time.'),
    description: f(4, string(), 'What the column shows, for people.'),
    priority: f(5, int32(), '0 (the default) shows the column always; a higher number only in wide views.'),
    jsonPath: f(
      6,
      string().required(),
      'Simple JSON path into the object that gives the cell, such as .spec.replicas.',
    ),
  },
  { description: 'A column that tables of custom objects show beside the name.' },
);
export type CustomResourceColumnDefinition = Infer<typeof CustomResourceColumnDefinition>;

export const SelectableField = struct(
  'apiextensions.v1.SelectableField',
  {
    jsonPath: f(
      1,
      string().required(),
      'Simple path of a field of type string, integer or boolean, such as .spec.color; not below .metadata.',
    ),
  },
  { description: 'A field that lists and watches of custom objects can be selected by.' },
);
export type SelectableField = Infer<typeof SelectableField>;

export const CustomResourceSubresourceScale = struct(
  'apiextensions.v1.CustomResourceSubresourceScale',
  {
    specReplicasPath: f(
      1,
      string().required(),
      'Path of the wanted number of replicas, in dot notation below .spec; an object without it has no scale.',
    ),
    statusReplicasPath: f(
      2,
      string().required(),
      'Path of the observed number of replicas, in dot notation below .status; 0 if there is none.',
    ),
    labelSelectorPath: f(
      3,
      string().optional(),
      'Path of the selector of pods, as text, in dot notation below .spec or .status; autoscalers need it. Unset: no selector.',
    ),
  },
  { description: 'Where custom objects keep what the scale subresource reads and writes.' },
);
export type CustomResourceSubresourceScale = Infer<typeof CustomResourceSubresourceScale>;

export const CustomResourceSubresourceStatus = struct(
  'apiextensions.v1.CustomResourceSubresourceStatus',
  {},
  { description: 'Turns on the status subresource; it has no settings.' },
);
export type CustomResourceSubresourceStatus = Infer<typeof CustomResourceSubresourceStatus>;

export const CustomResourceSubresources = struct(
  'apiextensions.v1.CustomResourceSubresources',
  {
    status: f(
      1,
      CustomResourceSubresourceStatus.optional(),
      'When set, status is written through /status only, and other writes ignore it and raise metadata.generation.',
    ),
    scale: f(
      2,
      CustomResourceSubresourceScale.optional(),
      'When set, /scale reads and changes the number of replicas.',
    ),
  },
  { description: 'Subresources of custom objects.' },
);
export type CustomResourceSubresources = Infer<typeof CustomResourceSubresources>;

export const CustomResourceDefinitionNames = struct(
  'apiextensions.v1.CustomResourceDefinitionNames',
  {
    plural: f(
      1,
      string().required(),
      'Plural name in lower case, used in paths: /apis/<group>/<version>/<plural>. The definition is named <plural>.<group>.',
    ),
    singular: f(2, string(), 'Singular name in lower case for command-line tools. Default: kind in lower case.'),
    shortNames: f(3, list(string()), 'Abbreviations in lower case for command-line tools.'),
    kind: f(4, string().required(), 'Kind of the objects in CamelCase, usually singular.'),
    listKind: f(5, string(), 'Kind of lists of the objects. Default: kind followed by List.'),
    categories: f(
      6,
      list(string()),
      'Groups of resources, such as all, that command-line tools accept in place of a name.',
    ),
  },
  { description: 'Names of a custom resource.' },
);
export type CustomResourceDefinitionNames = Infer<typeof CustomResourceDefinitionNames>;

export const CustomResourceDefinitionCondition = struct(
  'apiextensions.v1.CustomResourceDefinitionCondition',
  describedLike(Condition, {
    type: f(
      1,
      string().required(),
      'Established (the kind is served), NamesAccepted (no other kind has its names), NonStructuralSchema, Terminating and others.',
    ),
    status: f(2, string().required()),
    lastTransitionTime: f(3, time()),
    reason: f(4, string()),
    message: f(5, string()),
  }),
  { description: 'One observed aspect of the state of a definition.' },
);
export type CustomResourceDefinitionCondition = Infer<typeof CustomResourceDefinitionCondition>;

export const CustomResourceDefinitionStatus = struct(
  'apiextensions.v1.CustomResourceDefinitionStatus',
  {
    conditions: f(
      1,
      list(CustomResourceDefinitionCondition).always().mapBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
    acceptedNames: f(
      2,
      CustomResourceDefinitionNames,
      'The names in use; they can differ from those in spec when another kind has one of these.',
    ),
    storedVersions: f(
      3,
      list(string()).always(),
      'Every version that objects were ever stored in; none of them can be removed from spec. Shorten after migrating the objects.',
    ),
  },
  { description: 'What the server has made of a definition.' },
);
export type CustomResourceDefinitionStatus = Infer<typeof CustomResourceDefinitionStatus>;

const customResourceValidation = perVocabulary((vocabulary) =>
  struct(
    'apiextensions.v1.CustomResourceValidation',
    {
      openAPIV3Schema: f(
        1,
        jsonSchemaProps(vocabulary).optional(),
        'Schema that objects must satisfy; also decides which fields are kept, defaulted and merged.',
      ),
    },
    { description: 'How custom objects of a version are checked.' },
  ),
);
export type CustomResourceValidation = Infer<ReturnType<typeof customResourceValidation>>;

const customResourceDefinitionVersion = perVocabulary((vocabulary) =>
  struct(
    'apiextensions.v1.CustomResourceDefinitionVersion',
    {
      name: f(
        1,
        string().required(),
        'Name of the version, such as v1 or v1beta1; newer and more stable ones are preferred by clients.',
      ),
      served: f(2, bool().required(), 'Whether the version can be used through the API.'),
      storage: f(
        3,
        bool().required(),
        'Whether objects are stored in this version; must be true for exactly one version.',
      ),
      deprecated: f(7, bool(), 'Whether requests for the version get a warning. Default false.'),
      deprecationWarning: f(
        8,
        string().optional(),
        'Text of that warning; only allowed when deprecated. Unset: a warning that names the newest stable version.',
      ),
      schema: f(
        4,
        customResourceValidation(vocabulary).optional(),
        'Schema of the version, for checking, pruning and defaulting.',
      ),
      subresources: f(5, CustomResourceSubresources.optional(), 'Subresources that objects have in this version.'),
      additionalPrinterColumns: f(
        6,
        list(CustomResourceColumnDefinition),
        'Columns that tables show beside the name. Unset: the age.',
      ),
      selectableFields: f(
        9,
        list(SelectableField).unpublished(),
        'Fields that field selectors can name, at most 8, beside the name and the namespace.',
      ),
    },
    { description: 'One version of a custom kind.' },
  ),
);
export type CustomResourceDefinitionVersion = Infer<ReturnType<typeof customResourceDefinitionVersion>>;

const customResourceDefinitionSpec = perVocabulary((vocabulary) =>
  struct(
    'apiextensions.v1.CustomResourceDefinitionSpec',
    {
      group: f(
        1,
        string().required(),
        'API group of the kind, a domain such as example.com. Objects are served under /apis/<group>.',
      ),
      names: f(3, CustomResourceDefinitionNames.required(), 'Names of the resource and of its kind.'),
      scope: f(
        4,
        string().required(),
        'Namespaced for objects in namespaces, Cluster for cluster-wide ones. Cannot be changed.',
      ),
      versions: f(
        7,
        list(customResourceDefinitionVersion(vocabulary)).required(),
        'Versions of the kind; exactly one is stored.',
      ),
      conversion: f(
        9,
        CustomResourceConversion.optional().default({ strategy: 'None' }),
        'How objects are converted between versions. Default: only apiVersion changes.',
      ),
      preserveUnknownFields: f(
        10,
        bool(),
        'Must be false: fields that no schema names are removed. Use the extension of schemas to keep them in places.',
      ),
    },
    {
      description: 'Desired state of a definition: names, scope and versions of the kind.',
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
      description: 'Adds a kind of object to the API. Its name must be <plural>.<group>.',
      defaults({ spec, status }) {
        const stored = spec.versions?.find(({ storage }) => storage);
        if (stored) status.storedVersions ??= [stored.name];
      },
    },
  ),
);
export type CustomResourceDefinition = Infer<ReturnType<typeof customResourceDefinition>>;
