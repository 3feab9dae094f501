import { type Json, listAt, objectAt, textAt } from '../api/json.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** 0: shown always; others only where there is room. */
  readonly priority: number;
}

export interface Row {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly cells: readonly string[];
  readonly created: string;
  readonly isGoing: boolean;
  readonly owner: string;
  readonly labels: readonly [string, string][];
  readonly version: string;
  /** Everything that a filter looks at, in lower case. */
  readonly text: string;
}

export const columnsIn = (table: Json): Column[] =>
  listAt(table, 'columnDefinitions').map((definition) => ({
    name: textAt(definition, 'name'),
    type: textAt(definition, 'type'),
    description: textAt(definition, 'description'),
    priority: Number(textAt(definition, 'priority') || 0),
  }));

const cellText = (value: Json): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A row of a table. Of its object only what tables show is kept, since there may be very many. */
export function rowOf(row: Json): Row {
  const metadata = objectAt(row, 'object', 'metadata');
  const namespace = textAt(metadata, 'namespace');
  const name = textAt(metadata, 'name');
  const cells = listAt(row, 'cells').map(cellText);
  const labels = Object.entries(objectAt(metadata, 'labels')).map(([key, value]): [string, string] => [
    key,
    String(value),
  ]);
  const [owner] = listAt(metadata, 'ownerReferences');
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    cells,
    created: textAt(metadata, 'creationTimestamp'),
    isGoing: textAt(metadata, 'deletionTimestamp') !== '',
    owner: owner === undefined ? '' : `${textAt(owner, 'kind')}/${textAt(owner, 'name')}`,
    labels,
    version: textAt(metadata, 'resourceVersion'),
    text: `${namespace}/${cells.join(' ')} ${labels.map(([key, value]) => `${key}=${value}`).join(' ')}`.toLowerCase(),
  };
}
