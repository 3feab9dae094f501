import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

const text = { type: 'string', maxLength: 1024 } as const;
const texts = { type: 'array', maxItems: 64, items: text } as const;
const textMap = { type: 'object', maxProperties: 64, additionalProperties: text } as const;

const selector = {
  type: 'object',
  properties: {
    labels: textMap,
    annotations: textMap,
    fields: { type: 'object', maxProperties: 64, additionalProperties: texts },
    present: texts,
    absent: texts,
    conditions: textMap,
  },
} as const;

const condition = {
  type: 'object',
  required: ['type', 'status'],
  properties: {
    type: text,
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: text,
    message: text,
  },
} as const;

const outcomeWith = (anything: object) => ({
  type: 'object',
  properties: {
    patch: anything,
    status: anything,
    conditions: { type: 'array', maxItems: 64, items: condition },
    finalizers: { type: 'object', properties: { add: texts, remove: texts } },
    event: {
      type: 'object',
      required: ['reason'],
      properties: { type: { type: 'string', enum: ['Normal', 'Warning'] }, reason: text, message: text },
    },
    delete: { type: 'boolean' },
  },
});

const duration = { type: 'string', pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$', maxLength: 64 } as const;

const specWith = (anything: object) => ({
  type: 'object',
  required: ['resource', 'next'],
  properties: {
    resource: { type: 'object', required: ['apiVersion', 'kind'], properties: { apiVersion: text, kind: text } },
    order: { type: 'integer', format: 'int32' },
    when: selector,
    delay: { type: 'object', required: ['from'], properties: { from: duration, to: duration } },
    next: outcomeWith(anything),
  },
});

export const STAGES_GROUP = 'testing.platform.io';

/** The definition of the kind `Stage`. */
export function stageDefinition({ openapiExtensions, annotations }: Vocabulary) {
  const spec = specWith({ type: 'object', [openapiExtensions.preserveUnknownFields]: true });
  return {
    metadata: {
      name: `stages.${STAGES_GROUP}`,
      annotations: { [annotations.apiApproved]: 'unapproved, for tests alone' },
    },
    spec: {
      group: STAGES_GROUP,
      scope: 'Cluster',
      names: { plural: 'stages', singular: 'stage', kind: 'Stage', listKind: 'StageList' },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec } } },
        },
      ],
    },
  };
}
