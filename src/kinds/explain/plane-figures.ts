import { ObjectMeta } from '../../meta/object-meta.ts';
import type { Column } from '../../registry/resource-type.ts';
import { double, int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, map, struct } from '../../schema/schema.ts';
import { integer, nameColumn } from '../columns.ts';

export const PlaneSeries = struct(
  'explain.v1alpha1.PlaneSeries',
  {
    topic: f(1, string().required(), 'What it is about, such as requests: one of the names that these objects have.'),
    figure: f(2, string().required(), 'What is counted, such as rate.'),
    unit: f(3, string().required(), 'Such as ms or bytes; empty for plain numbers.'),
    labels: f(4, map(string()), 'What it is counted of, such as a verb and a resource; none for all there is.'),
    values: f(5, list(double()), 'One value for each of the times.'),
  },
  { description: 'One figure over the last hour.' },
);
export type PlaneSeries = Infer<typeof PlaneSeries>;

export const PlaneCertificate = struct(
  'explain.v1alpha1.PlaneCertificate',
  {
    use: f(1, string().required(), 'What the certificate is for.'),
    subject: f(2, string().required(), 'Whom it is about.'),
    issuer: f(3, string().required(), 'Who signed it.'),
    notBefore: f(4, time(), 'From when on it counts.'),
    notAfter: f(5, time(), 'Until when it counts.'),
  },
  { description: 'A certificate that the server works with.' },
);
export type PlaneCertificate = Infer<typeof PlaneCertificate>;

export const PlaneFigures = kind(
  'explain.v1alpha1.PlaneFigures',
  {
    metadata: f(1, ObjectMeta, 'The name is that of a topic, or latest: the last minute of all of them.'),
    stepSeconds: f(2, int32().required(), 'How far the times are apart.'),
    times: f(3, list(int64()), 'Seconds since the epoch, ascending: when the values were taken.'),
    series: f(4, list(PlaneSeries), 'The figures.'),
    certificates: f(5, list(PlaneCertificate), 'Of the topic certificates alone.'),
  },
  { description: 'What the server did in the last hour, in steps. Nothing of it is stored.' },
);
export type PlaneFigures = Infer<typeof PlaneFigures>;

export const planeFiguresColumns: readonly Column<PlaneFigures>[] = [
  nameColumn,
  integer('Series', 'How many figures there are.', ({ series }) => series?.length ?? 0),
  integer('Points', 'How many values each of them has.', ({ times }) => times?.length ?? 0),
  integer('Step', 'How many seconds the values are apart.', ({ stepSeconds }) => stepSeconds),
];
