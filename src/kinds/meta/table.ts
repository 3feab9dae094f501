import { anything, int32, rawExtension, string } from '../../schema/scalars.ts';
import { type Infer, jsonOnly, kind, list, struct } from '../../schema/schema.ts';
import { ListMeta } from './object-meta.ts';

export const TableColumnDefinition = struct('meta.v1.TableColumnDefinition', {
  name: jsonOnly(string().required()),
  type: jsonOnly(string().required()),
  format: jsonOnly(string().required()),
  description: jsonOnly(string().required()),
  priority: jsonOnly(int32().required()),
});
export type TableColumnDefinition = Infer<typeof TableColumnDefinition>;

export const TableRowCondition = struct('meta.v1.TableRowCondition', {
  type: jsonOnly(string().required()),
  status: jsonOnly(string().required()),
  reason: jsonOnly(string()),
  message: jsonOnly(string()),
});
export type TableRowCondition = Infer<typeof TableRowCondition>;

export const TableRow = struct('meta.v1.TableRow', {
  cells: jsonOnly(list(anything()).required()),
  conditions: jsonOnly(list(TableRowCondition)),
  object: jsonOnly(rawExtension()),
});
export type TableRow = Infer<typeof TableRow>;

export const Table = kind(
  'meta.v1.Table',
  {
    metadata: jsonOnly(ListMeta),
    columnDefinitions: jsonOnly(list(TableColumnDefinition).required()),
    rows: jsonOnly(list(TableRow).required()),
  },
  { description: 'Objects as rows of printable cells.' },
);
export type Table = Infer<typeof Table>;
