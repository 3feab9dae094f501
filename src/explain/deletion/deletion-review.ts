import type { Action } from '../../handlers/actions/action.ts';
import { type DeletionBlocker, DeletionReview } from '../../kinds/explain/deletion-review.ts';
import { propagationIn } from '../../meta/dependents.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { BoundedList } from '../answer-room.ts';
import { type AskedObject, askedObject, mayAccess } from '../asked-object.ts';
import { VersionDescriptions } from '../history/described-version.ts';
import { stateOf, unknownObject } from '../history/past-states.ts';
import { type QuestionSources, question } from '../history/question.ts';
import type { Search } from './blockers.ts';
import { findDependents } from './dependents.ts';
import { findBudgets } from './disruption-budgets.ts';
import { findFinalizers } from './finalizers.ts';
import { findInNamespace } from './namespace-content.ts';
import { findWebhooks } from './webhooks.ts';

/** What keeps an object from going, or would keep it. */
export const deletionReview = ({ group, authorizer, attributions }: QuestionSources): Action<DeletionReview> =>
  question(group, 'DeletionReview', 'deletionreviews', DeletionReview, async (call) => {
    const { objects, options } = call;
    const asked = await askedObject(authorizer, call, call.object.spec.object);
    const version = objects.find(asked.type, asked.namespace, asked.name);
    if (!version) throw unknownObject(asked);
    const state = await stateOf(objects, asked, version);
    const search: Search = {
      call,
      asked,
      object: state.object,
      found: new BoundedList<DeletionBlocker>(),
      notSearched: new Set(),
      rest: restEveryTurn(call.context.runtime),
      mayList: (place) => mayAccess(authorizer, options.user, 'list', place),
    };
    findRefusal(search);
    findGrace(search);
    await findFinalizers(search, state, new VersionDescriptions(objects, attributions, asked.type));
    if (isCore(asked, 'namespaces')) await findInNamespace(search);
    await findDependents(search);
    await findWebhooks(search);
    if (isCore(asked, 'pods')) await findBudgets(search);
    return { status: 201, body: canonicalise(DeletionReview, { ...call.object, status: statusOf(search) }).value };
  });

const isCore = ({ type }: AskedObject, plural: string): boolean => type.group === '' && type.plural === plural;

function statusOf({ object: { metadata }, found, notSearched }: Search) {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  return {
    deleting: Boolean(deletionTimestamp),
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { gracePeriodSeconds: deletionGracePeriodSeconds }),
    propagation: propagationIn(metadata),
    blockers: found.entries,
    remainingBlockers: found.remaining,
    notSearched: [...notSearched].sort(),
  };
}

function findRefusal({ asked: { type, name }, found }: Search): void {
  const message = type.refusesDelete?.(name);
  if (message !== undefined) found.add({ type: 'Refusal', name, message, certain: true });
}

/** Whoever ends the object says so by deleting it without grace; its time being over does not make it go. */
function findGrace({ object: { metadata }, found }: Search): void {
  const { deletionTimestamp, deletionGracePeriodSeconds: seconds } = metadata;
  if (!deletionTimestamp || !seconds) return;
  const message = `was given ${seconds} s, until ${deletionTimestamp}; it goes when whoever runs it says that it has ended`;
  found.add({ type: 'GracePeriod', message, certain: true });
}
