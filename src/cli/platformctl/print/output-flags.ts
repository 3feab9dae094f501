import { list, optionalText } from '../../../settings/flag.ts';
import { type FlagTable, onOff, short } from '../frame/flags.ts';

/** How objects are printed. For every command that has objects to show: `...OUTPUT_FLAGS` in its table. */
export const OUTPUT_FLAGS = {
  output: short(
    'o',
    optionalText(
      'output',
      'FORMAT',
      'json, yaml, name, go-template, go-template-file, jsonpath, jsonpath-as-json or jsonpath-file',
    ),
  ),
  template: optionalText('template', 'TEXT', 'the template of -o go-template, or the path of one'),
  showManagedFields: onOff('show-managed-fields', false, 'keep managedFields in JSON and YAML'),
  allowMissingTemplateKeys: onOff(
    'allow-missing-template-keys',
    true,
    'print what there is where a field or a key of a template is missing',
  ),
} as const satisfies FlagTable;

/** Objects as rows. For commands that print what the plane makes of objects for people. */
export const TABLE_FLAGS = {
  noHeaders: onOff('no-headers', false, 'leave out the names of columns'),
  showKind: onOff('show-kind', false, 'name the kind before each name'),
  showLabels: onOff('show-labels', false, 'show labels as the last column'),
  labelColumns: short('L', list('label-columns', 'NAMES', [], 'labels that have a column of their own')),
  sortBy: optionalText('sort-by', 'JSONPATH', 'sort by a field, such as {.metadata.name}'),
} as const satisfies FlagTable;

/** What `OUTPUT_FLAGS` are set to. */
export interface OutputFlags {
  readonly output?: string | undefined;
  readonly template?: string | undefined;
  readonly showManagedFields?: boolean;
  readonly allowMissingTemplateKeys?: boolean;
}

/** Whether a line asks for objects themselves, and not for a word about them. */
export const asksForObjects = ({ output, template }: OutputFlags): boolean =>
  output !== undefined || template !== undefined;
