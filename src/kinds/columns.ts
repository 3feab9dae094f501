import type { ApiObject, Column } from '../registry/resource-type.ts';
import { age } from './printing.ts';

type Cell<T> = Column<T>['cell'];

/** A column of texts. Its cells may still be numbers: clients print both alike. */
export const text = <T>(name: string, description: string, cell: Cell<T>): Column<T> => ({
  name,
  type: 'string',
  description,
  cell,
});

export const integer = <T>(name: string, description: string, cell: Cell<T>): Column<T> => ({
  name,
  type: 'integer',
  description,
  cell,
});

export const boolean = <T>(name: string, description: string, cell: Cell<T>): Column<T> => ({
  name,
  type: 'boolean',
  description,
  cell,
});

/** Shown only when a client asks for more columns. */
export const wide = <T>(column: Column<T>): Column<T> => ({ ...column, priority: 1 });

/** The column most tables start with. */
export const nameColumn: Column<ApiObject> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Unique among objects of the kind, within the namespace if there is one.',
  cell: ({ metadata }) => metadata.name ?? '',
};

/** How long ago the object was created. */
export const ageColumn: Column<ApiObject> = text('Age', 'Time since the object was created.', ({ metadata }, now) =>
  age(metadata.creationTimestamp, now),
);
