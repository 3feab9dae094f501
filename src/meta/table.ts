import { anything, int32, rawExtension, string } from '../schema/scalars.ts';
import { type Infer, jsonOnly, kind, list, struct } from '../schema/schema.ts';
import { ListMeta } from './object-meta.ts';

export const TableColumnDefinition = struct(
  'meta.v1.TableColumnDefinition',
  {
    name: jsonOnly(string().required(), 'Heading of the column.'),
    type: jsonOnly(string().required(), 'Type of the cells: string, integer, number or boolean, as in OpenAPI.'),
    format: jsonOnly(
      string().required(),
      'Further detail of the type as in OpenAPI; name marks the column with names of objects.',
    ),
    description: jsonOnly(string().required(), 'What the column shows, for people.'),
    priority: jsonOnly(
      int32().required(),
      '0 for columns that are always shown; the higher the number, the sooner a narrow view leaves the column out.',
    ),
  },
  { description: 'Name and type of a column of a table.' },
);
export type TableColumnDefinition = Infer<typeof TableColumnDefinition>;

export const TableRowCondition = struct(
  'meta.v1.TableRowCondition',
  {
    type: jsonOnly(
      string().required(),
      'Completed: the object has finished its work, so that the row can be hidden or greyed out.',
    ),
    status: jsonOnly(string().required(), 'True, False or Unknown.'),
    reason: jsonOnly(string(), 'Why the status is what it is, in one word.'),
    message: jsonOnly(string(), 'Details, for people.'),
  },
  { description: 'A remark about a row as a whole.' },
);
export type TableRowCondition = Infer<typeof TableRowCondition>;

export const TableRow = struct(
  'meta.v1.TableRow',
  {
    cells: jsonOnly(
      list(anything()).required(),
      'Values in the order of the columns: strings, numbers, booleans, arrays or null.',
    ),
    conditions: jsonOnly(list(TableRowCondition), 'Remarks about the row; none for an ordinary one.'),
    object: jsonOnly(rawExtension(), 'The object, its metadata, or nothing, as includeObject of the request says.'),
  },
  { description: 'One object of a table.' },
);
export type TableRow = Infer<typeof TableRow>;

export const Table = kind(
  'meta.v1.Table',
  {
    metadata: jsonOnly(ListMeta),
    columnDefinitions: jsonOnly(list(TableColumnDefinition).required(), 'The columns, in order.'),
    rows: jsonOnly(list(TableRow).required(), 'The objects, one row each.'),
  },
  { description: 'Objects as rows of cells that a client can print without knowledge of their kind.' },
);
export type Table = Infer<typeof Table>;
