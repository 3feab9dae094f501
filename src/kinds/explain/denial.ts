import { ObjectMeta } from '../../meta/object-meta.ts';
import { int32, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { SubjectAccessReviewSpec } from '../authorization/v1/access-review-spec.ts';
import { AccessStory, ModeAnswer } from './access-story.ts';

export const DeniedRequest = struct(
  'explain.v1alpha1.DeniedRequest',
  {
    message: f(1, string(), 'What the client was told.'),
    modes: f(2, list(ModeAnswer), 'What each mode said then, up to the one that decided.'),
    impersonator: f(3, string(), 'Name of the user who asked as the one that was refused; empty where nobody did.'),
    auditID: f(4, string(), 'Audit id of the latest of the requests.'),
    count: f(5, int32(), 'How often the very same was refused.'),
    firstTime: f(6, time(), 'When it was refused first.'),
    lastTime: f(7, time(), 'When it was refused last.'),
  },
  { description: 'A request that was refused, once or several times.' },
);
export type DeniedRequest = Infer<typeof DeniedRequest>;

export const Denial = kind(
  'explain.v1alpha1.Denial',
  {
    metadata: f(1, ObjectMeta, 'Standard object metadata; the name is the id that the answer carried.'),
    spec: f(2, SubjectAccessReviewSpec, 'Who wanted to do what.'),
    request: f(3, DeniedRequest, 'What is remembered of it.'),
    status: f(4, AccessStory.optional(), 'How it is now. Worked out for whoever looks one up; absent in lists.'),
  },
  { description: 'A request that authorization refused some minutes ago.' },
);
export type Denial = Infer<typeof Denial>;
