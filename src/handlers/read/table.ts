import { badRequest } from '../../api/errors.ts';
import type { Format } from '../../codec/negotiation.ts';
import type { ApiObject, Column, ObjectType, RowCondition } from '../../registry/resource-type.ts';
import { fromHub } from '../../registry/versions.ts';
import type { Query } from '../../request/request-info.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** What a row carries besides its cells. */
type IncludeObject = 'None' | 'Metadata' | 'Object';

const DEFAULT_COLUMNS: readonly Column<ApiObject>[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Unique among objects of the kind, within the namespace if there is one.',
    cell: ({ metadata }) => metadata.name ?? '',
  },
  {
    name: 'Created At',
    type: 'date',
    description: 'When the object was created.',
    cell: ({ metadata }) => metadata.creationTimestamp ?? '',
  },
];

export interface Row {
  readonly cells: readonly unknown[];
  readonly conditions?: readonly RowCondition[];
  /** null: the client wants none. */
  readonly object: object | null;
}

/** Renders objects of one type as tables. It is handed them in their stored version, whose columns every version shows. */
export class TableRenderer {
  readonly #columns: readonly Column<ApiObject>[];
  readonly #stored: ObjectType;
  readonly #type: ObjectType;
  readonly #includeObject: IncludeObject;
  readonly #metaVersion: string;
  readonly #now: number;

  constructor(type: ObjectType, format: Format, query: Query, vocabulary: Vocabulary, now: number) {
    this.#type = type;
    this.#stored = type.conversion?.hub ?? type;
    this.#columns = this.#stored.columns ?? DEFAULT_COLUMNS;
    this.#includeObject = includeObjectOf(query);
    this.#metaVersion = `${vocabulary.groups.meta}/${format.metaVersion}`;
    this.#now = now;
  }

  /** `header` false leaves the column definitions out, as later events of a watch do. */
  table(objects: readonly ApiObject[], metadata: object, header = true): object {
    const { rowOrder } = this.#stored;
    const rows = (rowOrder ? [...objects].sort(rowOrder) : objects).map((object) => this.row(object));
    return this.#tableOf(rows, metadata, header);
  }

  /** A table that only says how far its reader has come; metadata besides the version takes a row without cells. */
  mark(object: ApiObject, hasMetadata: boolean, header: boolean): object {
    const { resourceVersion } = object.metadata;
    const rows = hasMetadata ? [{ cells: [], object: partialMetadata(object, this.#metaVersion) }] : [];
    return this.#tableOf(rows, { resourceVersion }, header);
  }

  /** All that a table has besides its rows. */
  head(metadata: object, header = true): object {
    return {
      kind: 'Table',
      apiVersion: this.#metaVersion,
      metadata,
      columnDefinitions: header ? this.#columns.map(definitionOf) : null,
    };
  }

  #tableOf(rows: readonly Row[], metadata: object, header: boolean): object {
    return { ...this.head(metadata, header), rows };
  }

  row(object: ApiObject): Row {
    const conditions = this.#stored.rowConditions?.(object) ?? [];
    const included = this.#included(object);
    return {
      cells: this.#columns.map((column) => column.cell(object, this.#now)),
      ...(conditions.length === 0 ? {} : { conditions }),
      object: included,
    };
  }

  #included(object: ApiObject): object | null {
    if (this.#includeObject === 'None') return null;
    return this.#includeObject === 'Object' ? fromHub(this.#type, object) : partialMetadata(object, this.#metaVersion);
  }
}

const definitionOf = ({ name, type, format = '', priority = 0, description }: Column<ApiObject>): object => ({
  name,
  type,
  format,
  description,
  priority,
});

export const partialMetadata = ({ metadata }: ApiObject, apiVersion: string): object => ({
  kind: 'PartialObjectMetadata',
  apiVersion,
  metadata,
});

function includeObjectOf(query: Query): IncludeObject {
  const wanted = query.get('includeObject') ?? '';
  if (wanted === '' || wanted === 'Metadata') return 'Metadata';
  if (wanted === 'None' || wanted === 'Object') return wanted;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(wanted)}: ` +
      "must be 'Metadata', 'Object', 'None', or empty",
  );
}
