import { rawExtension, string } from '../../schema/scalars.ts';
import { f, type Infer, struct } from '../../schema/schema.ts';

export const WatchEvent = struct(
  'meta.v1.WatchEvent',
  {
    type: f(1, string().required()),
    object: f(2, rawExtension().required()),
  },
  { description: 'One change, as a watch reports it.' },
);
export type WatchEvent = Infer<typeof WatchEvent>;
