import type { ApiObject, Column } from '../registry/resource-type.ts';
import { age } from './printing.ts';

/** The column most tables start with. */
export const nameColumn: Column<ApiObject> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Unique among objects of the kind, within the namespace if there is one.',
  cell: ({ metadata }) => metadata.name,
};

/** How long ago the object was created. */
export const ageColumn: Column<ApiObject> = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
  cell: ({ metadata }, now) => age(metadata.creationTimestamp, now),
};
