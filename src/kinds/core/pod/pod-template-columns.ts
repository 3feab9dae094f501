import type { Column } from '../../../registry/resource-type.ts';
import { nameColumn, text, wide } from '../../columns.ts';
import { labels } from '../../printing.ts';
import type { PodTemplate, PodTemplateSpec } from './pod-template.ts';

type ReadTemplate<T> = { read(object: T): PodTemplateSpec | undefined }['read'];

const containersOf = (template: PodTemplateSpec | undefined) => template?.spec.containers ?? [];

const containerNames = <T>(read: ReadTemplate<T>): Column<T> =>
  text('Containers', 'Names of the containers in the template.', (object) =>
    containersOf(read(object))
      .map(({ name }) => name)
      .join(','),
  );

const containerImages = <T>(read: ReadTemplate<T>): Column<T> =>
  text('Images', 'Images of the containers in the template.', (object) =>
    containersOf(read(object))
      .map(({ image }) => image ?? '')
      .join(','),
  );

/** What kinds that make pods say about their template, in wide output. */
export const templateColumns = <T>(read: ReadTemplate<T>): readonly Column<T>[] => [
  wide(containerNames(read)),
  wide(containerImages(read)),
];

const templateOf = ({ template }: PodTemplate): PodTemplateSpec => template;

export const podTemplateColumns: readonly Column<PodTemplate>[] = [
  nameColumn,
  containerNames(templateOf),
  containerImages(templateOf),
  text('Pod Labels', 'Labels that pods made from the template get.', ({ template }) =>
    labels(template.metadata.labels),
  ),
];
