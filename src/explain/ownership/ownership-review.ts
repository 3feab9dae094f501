import { sharingOf } from '../../apply/derive-sharing.ts';
import { ownedFieldsInSteps } from '../../apply/difference.ts';
import { type FieldSet, placeText } from '../../apply/field-set.ts';
import type { Sharing } from '../../apply/sharing.ts';
import type { Action } from '../../handlers/actions/action.ts';
import { type FieldOwner, type FieldStory, OwnershipReview } from '../../kinds/explain/ownership-review.ts';
import { inSteps, restEveryTurn, type Steps } from '../../runtime/pacing.ts';
import { BoundedList } from '../answer-room.ts';
import { askedObject } from '../asked-object.ts';
import { VersionDescriptions } from '../history/described-version.ts';
import { BOOKKEEPING } from '../history/object-diff.ts';
import { stateOf, unknownObject } from '../history/past-states.ts';
import { answered, type QuestionSources, question } from '../history/question.ts';
import { fieldHistory, type LastSetting } from './field-history.ts';
import { type OwnedPlaces, ownedBelow, ownersAt, ownersOf } from './field-owners.ts';

/** Every field of an object with who owns it, and, as far as that is remembered, who gave it its value. */
export const ownershipReview = ({ group, authorizer, attributions }: QuestionSources): Action<OwnershipReview> =>
  question(group, 'OwnershipReview', 'ownershipreviews', OwnershipReview, async (call) => {
    const { object, objects, context } = call;
    const rest = restEveryTurn(context.runtime);
    const asked = await askedObject(authorizer, call, object.spec.object);
    const { type, namespace, name } = asked;
    const version = objects.find(type, namespace, name);
    if (!version) throw unknownObject(asked);
    const state = await stateOf(objects, asked, version);
    const sharing = sharingOf(type.schema);
    await rest();
    const owned = await inSteps(ownedFieldsInSteps(sharing, state.object), rest);
    await rest();
    const places = owned.without(BOOKKEEPING);
    await rest();
    const descriptions = new VersionDescriptions(objects, attributions, asked.type);
    const history = await fieldHistory(call, asked, state, places, descriptions);
    const stories = new Stories(history.settings, object.spec.fieldPrefix ?? '');
    const owners = await ownersOf(type, state.object, rest);
    await inSteps(stories.tell(places, sharing, state.object, owners, []), rest);
    const { entries, remaining } = stories.told;
    const status = {
      resourceVersion: String(version.revision),
      fields: entries,
      remainingFields: remaining,
      versionsRead: history.versionsRead,
      complete: history.complete,
    };
    return answered(OwnershipReview, object, status, rest);
  });

/** Places between two looks at the clock. */
const LOOKS = 100;

/** What is told of each place, in the order of the object. */
class Stories {
  readonly told = new BoundedList<FieldStory>();
  readonly #settings: ReadonlyMap<string, LastSetting>;
  readonly #prefix: string;
  #looks = 0;

  constructor(settings: ReadonlyMap<string, LastSetting>, prefix: string) {
    this.#settings = settings;
    this.#prefix = prefix;
  }

  *tell(
    places: FieldSet,
    sharing: Sharing,
    value: unknown,
    owned: readonly OwnedPlaces[],
    above: readonly string[],
  ): Steps<void> {
    if (places.isEmpty) return;
    for (const entry of sharing.entries(value)) {
      const { element } = entry;
      const path = [...above, element];
      const below = places.below(element);
      if (places.members.has(element)) {
        this.#add(placeText(path), below.isEmpty ? entry.value : undefined, ownersAt(owned, element));
      }
      if (++this.#looks % LOOKS === 0) yield;
      yield* this.tell(below, entry.sharing, entry.value, ownedBelow(owned, element), path);
    }
  }

  #add(path: string, value: unknown, owners: FieldOwner[]): void {
    if (!path.startsWith(this.#prefix)) return;
    const { setBy, previous } = this.#settings.get(path) ?? {};
    const story = {
      path,
      owners,
      ...(value !== undefined && { value }),
      ...(setBy && { setBy }),
      ...(previous !== undefined && { previous }),
    };
    this.told.add(story);
  }
}
