/** Words in which the schemas of these definitions are written. Each part has a description, as those of the field do. */

export type Schema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, Schema>>;

export const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });

export const name = (description: string): Schema =>
  text(description, { minLength: 1, maxLength: 253, pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' });

export const choice = (description: string, values: readonly string[], more: Schema = {}): Schema =>
  text(description, { enum: values, ...more });

export const integer = (description: string, more: Schema = {}): Schema => ({
  type: 'integer',
  format: 'int32',
  description,
  ...more,
});

export const portNumber = (description: string): Schema => integer(description, { minimum: 1, maximum: 65535 });

export const flag = (description: string, more: Schema = {}): Schema => ({ type: 'boolean', description, ...more });

export const moment = (description: string): Schema => text(description, { format: 'date-time' });

export const timeSpan = (description: string): Schema =>
  text(description, { maxLength: 32, pattern: '^([0-9]+(ms|s|m|h))+$' });

/** An object; `required` names those of its properties that have to be there. */
export const object = (
  description: string,
  properties: Properties,
  required: readonly string[] = [],
  more: Schema = {},
): Schema => ({
  type: 'object',
  description,
  properties,
  ...(required.length === 0 ? {} : { required }),
  ...more,
});

export const mapOf = (description: string, values: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  description,
  additionalProperties: values,
  ...more,
});

export const texts = (description: string): Schema => mapOf(description, { type: 'string' });

/** A list that is owned as a whole. */
export const list = (description: string, items: Schema, more: Schema = {}): Schema => ({
  type: 'array',
  description,
  items,
  'x-platform-list-type': 'atomic',
  ...more,
});

export const set = (description: string, items: Schema, more: Schema = {}): Schema =>
  list(description, items, { 'x-platform-list-type': 'set', ...more });

/** A list whose items are told apart, and owned, by keys. */
export const keyed = (description: string, keys: readonly string[], items: Schema, more: Schema = {}): Schema =>
  list(description, items, { 'x-platform-list-type': 'map', 'x-platform-list-map-keys': keys, ...more });

/** Anything that has no schema of its own here. */
export const open = (description: string): Schema => ({
  type: 'object',
  description,
  'x-platform-preserve-unknown-fields': true,
});

export const intOrText = (description: string, more: Schema = {}): Schema => ({
  description,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-platform-int-or-string': true,
  ...more,
});

export const quantity = (description: string): Schema =>
  intOrText(description, { pattern: '^[+-]?[0-9]+(\\.[0-9]+)?(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|E|Ei)?$' });

export const secretKey = (description: string): Schema =>
  object(
    description,
    {
      name: name('The Secret, in the namespace of the object.'),
      key: text('The key within the Secret.', { minLength: 1, maxLength: 253 }),
      optional: flag('Go on when the Secret, or the key in it, is not there.'),
    },
    ['name', 'key'],
    { 'x-platform-map-type': 'atomic' },
  );

export const labelSelector = (description: string): Schema =>
  object(
    description,
    {
      matchLabels: texts('Labels that have to have exactly these values.'),
      matchExpressions: list(
        'Requirements all of which have to hold.',
        object(
          'A requirement on one label.',
          {
            key: text('The label.'),
            operator: choice('How the label relates to the values.', ['In', 'NotIn', 'Exists', 'DoesNotExist']),
            values: list('The values; none with Exists and DoesNotExist.', { type: 'string' }),
          },
          ['key', 'operator'],
        ),
      ),
    },
    [],
    { 'x-platform-map-type': 'atomic' },
  );

export const conditions = keyed(
  'What is known of the state of the object.',
  ['type'],
  object(
    'One side of the state.',
    {
      type: text('Which side.', { maxLength: 316 }),
      status: choice('Whether it holds.', ['True', 'False', 'Unknown']),
      reason: text('Why, in one word.', { maxLength: 1024 }),
      message: text('Why, for people.', { maxLength: 32768 }),
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0, description: 'The generation it is about.' },
      lastTransitionTime: moment('When the status last changed.'),
    },
    ['type', 'status'],
  ),
);
