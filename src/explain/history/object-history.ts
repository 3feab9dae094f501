import { badRequest } from '../../api/errors.ts';
import type { Action, ActionCall } from '../../handlers/actions/action.ts';
import { ObjectHistory, type ObjectHistoryStatus } from '../../kinds/explain/object-history.ts';
import type { ObjectVersion } from '../../kinds/explain/object-version.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { type AskedObject, askedObject } from '../asked-object.ts';
import { VersionDescriptions } from './described-version.ts';
import { namedRevision, stateOf, statesBefore, unknownObject, versionAsOf } from './past-states.ts';
import { type QuestionSources, question } from './question.ts';

const MOST_VERSIONS = 500;

/** The versions of an object that are still remembered, and who made each. */
export const objectHistory = ({ group, authorizer, attributions }: QuestionSources): Action<ObjectHistory> =>
  question(group, 'ObjectHistory', 'objecthistories', ObjectHistory, async (call) => {
    const { object, objects } = call;
    const asked = await askedObject(authorizer, call, object.spec.object);
    const history = new HistoryReading(call, asked, new VersionDescriptions(objects, attributions, asked.type));
    const { resourceVersion } = object.spec;
    if (!resourceVersion) return answer({ ...object, status: await history.page() });
    const { version, past } = await history.oneVersion(resourceVersion);
    const { body } = answer({ ...object, status: version });
    // The object is in canonical form, and may be as large as any document.
    const rest = restEveryTurn(call.context.runtime);
    return { status: 201, body: { ...body, status: { ...body.status, object: past } }, rest };
  });

const answer = (review: ObjectHistory) => ({ status: 201, body: canonicalise(ObjectHistory, review).value });

class HistoryReading {
  readonly #call: ActionCall<ObjectHistory>;
  readonly #asked: AskedObject;
  readonly #descriptions: VersionDescriptions;

  constructor(call: ActionCall<ObjectHistory>, asked: AskedObject, descriptions: VersionDescriptions) {
    this.#call = call;
    this.#asked = asked;
    this.#descriptions = descriptions;
  }

  async oneVersion(resourceVersion: string): Promise<{ version: ObjectHistoryStatus; past: ApiObject }> {
    const { objects, context } = this.#call;
    const revision = await namedRevision(objects, 'spec.resourceVersion', resourceVersion);
    const version = await versionAsOf(objects, this.#asked, revision, restEveryTurn(context.runtime));
    if (!version) throw unknownObject(this.#asked);
    const state = await stateOf(objects, this.#asked, version);
    return { version: this.#status([this.#descriptions.of(state)]), past: state.object };
  }

  /** Versions before the one that the answer before ended with; each page is a walk from the newest on. */
  async page(): Promise<ObjectHistoryStatus> {
    const { objects, context, object, options } = this.#call;
    const { limit = 0, continue: from } = object.spec;
    if (limit < 0) throw badRequest('spec.limit must not be negative');
    const most = Math.min(limit || MOST_VERSIONS, MOST_VERSIONS);
    const rest = restEveryTurn(context.runtime);
    const last = from ? continuedFrom(from) : Number.POSITIVE_INFINITY;
    const start = await versionAsOf(objects, this.#asked, last - 1, rest);
    if (!start && !from) throw unknownObject(this.#asked);
    const versions: ObjectVersion[] = [];
    for await (const state of statesBefore(objects, this.#asked, start, rest)) {
      options.deadline?.check();
      if (versions.length === most) return { ...this.#status(versions), continue: lastOf(versions) };
      versions.push(this.#descriptions.of(state));
    }
    return this.#status(versions);
  }

  #status(versions: ObjectVersion[]): ObjectHistoryStatus {
    const { objects } = this.#call;
    const { type, namespace, name } = this.#asked;
    return {
      versions,
      oldestResourceVersion: String(objects.forgotten(type)),
      exists: objects.find(type, namespace, name) !== undefined,
    };
  }
}

const lastOf = (versions: readonly ObjectVersion[]): string => versions.at(-1)?.resourceVersion ?? '';

function continuedFrom(token: string): number {
  if (!/^[1-9]\d{0,14}$/.test(token)) throw badRequest('spec.continue was not given out by this server');
  return Number(token);
}
