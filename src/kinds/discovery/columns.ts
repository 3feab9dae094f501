import type { Column } from '../../registry/resource-type.ts';
import { ageColumn, nameColumn, text } from '../columns.ts';
import { firstFew, UNSET } from '../printing.ts';
import type { EndpointPort, EndpointSlice } from './endpoint-slice.ts';

export const endpointSliceColumns: readonly Column<EndpointSlice>[] = [
  nameColumn,
  text('AddressType', 'What the addresses are.', ({ addressType }) => addressType),
  text('Ports', 'The first ports.', ({ ports }) => few(ports?.map(portText))),
  text('Endpoints', 'The first addresses.', ({ endpoints }) =>
    few(endpoints?.flatMap(({ addresses }) => addresses ?? [])),
  ),
  ageColumn,
];

const few = (items: readonly string[] | undefined): string => (items?.length ? firstFew(items, 3) : UNSET);

/** A port without a number stands for all of that name, or simply for all. */
const portText = ({ port, name }: EndpointPort): string => port?.toString() ?? name ?? '*';
