import { Namespace } from '../kinds/core/namespace/namespace.ts';
import { Pod } from '../kinds/core/pod/pod.ts';
import type { Draft } from '../schema/draft.ts';
import { onAny, onKind, onSubresource } from './rule.ts';

// What must not compile does not: `npm run typecheck` fails where an error that is expected does not come.

const place = ({ spec }: Draft<Pod>): void => {
  spec.nodeName = 'a';
};

onKind(Pod).mutate({ create: ({ object }) => place(object), write: ({ object }) => place(object) });
onSubresource(Pod, 'status').mutate({ update: ({ object }) => place(object) });

// @ts-expect-error an object that is to be validated is a value
onKind(Pod).validate({ create: ({ object }) => place(object) });
// @ts-expect-error what was stored is a value
onKind(Pod).mutate({ update: ({ oldObject }) => place(oldObject) });
// @ts-expect-error a namespace is no pod
onKind(Namespace).mutate({ create: ({ object }) => place(object) });
// @ts-expect-error what is to be deleted is in the past
onKind(Pod).mutate({ delete: ({ object }) => place(object) });
// @ts-expect-error there is nothing before a creation
onKind(Pod).validate({ create: ({ oldObject }) => oldObject.metadata });
// @ts-expect-error on a write there may be nothing before
onKind(Pod).validate({ write: ({ oldObject }) => void oldObject.metadata });
// @ts-expect-error what is posted to a subresource is no object of the kind
onSubresource(Pod, 'eviction').validate({ create: ({ object }) => void object.metadata });
// @ts-expect-error nothing is known of objects of every kind but their metadata
onAny().validate({ create: ({ object }) => void object?.spec });
