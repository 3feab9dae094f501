import { int64, rawExtension } from '../../schema/scalars.ts';
import { f, type Infer, kind } from '../../schema/schema.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ControllerRevision = kind(
  'apps.v1.ControllerRevision',
  {
    metadata: f(1, ObjectMeta),
    data: f(2, rawExtension()),
    revision: f(3, int64().required()),
  },
  { description: 'A former state of a controller, kept so that it can be returned to.' },
);
export type ControllerRevision = Infer<typeof ControllerRevision>;
