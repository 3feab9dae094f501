import { type AnyObject, isRefusal } from '../../../../client/plane-client.ts';
import { threeWayDifference } from '../../../../patch/strategic-difference.ts';
import { isObject, type JsonObject } from '../../../../schema/json-object.ts';
import type { Vocabulary } from '../../../../vocabulary/vocabulary.ts';
import { CommandError } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { type DryRun, outcomeWord } from '../../frame/write-flags.ts';
import { lastApplied, lastAppliedKey, withLastApplied } from '../../manifests/last-applied.ts';
import type { ManifestObject } from '../../manifests/read-manifests.ts';
import { asksForObjects, type OutputFlags } from '../../print/output-flags.ts';
import type { Written } from '../../resources/each-written.ts';
import { MergePlans } from '../../resources/merge-plans.ts';
import { type ObjectWrites, whileDoing } from '../../resources/object-writes.ts';
import type { SelectedObject } from '../../resources/selection.ts';
import type { DeletionFlags } from '../delete/deletion-flags.ts';
import { deleteObject, deletionOptions, untilGone } from '../delete/deletions.ts';

/** Others may write at the same moment; so often it is tried again. */
const MOST_ATTEMPTS = 5;

interface ClientSideFlags extends DeletionFlags, OutputFlags {
  readonly dryRun: DryRun;
  readonly openapiPatch: boolean;
  readonly subresource: string | undefined;
}

/** Merges documents here: what was applied last is remembered by the object itself, in an annotation. */
export class ClientSideApply {
  readonly #session: Session;
  readonly #writes: ObjectWrites;
  readonly #flags: ClientSideFlags;
  readonly #vocabulary: Vocabulary;
  readonly #plans: MergePlans;

  private constructor(
    session: Session,
    writes: ObjectWrites,
    flags: ClientSideFlags,
    vocabulary: Vocabulary,
    plans: MergePlans,
  ) {
    this.#session = session;
    this.#writes = writes;
    this.#flags = flags;
    this.#vocabulary = vocabulary;
    this.#plans = plans;
  }

  static async of(session: Session, writes: ObjectWrites, flags: ClientSideFlags): Promise<ClientSideApply> {
    const vocabulary = await session.vocabulary();
    return new ClientSideApply(session, writes, flags, vocabulary, new MergePlans(await session.client(), vocabulary));
  }

  async apply(object: SelectedObject, document: ManifestObject): Promise<Written> {
    const { resource: kind, namespace, name, manifest } = object;
    if (name === '')
      throw new CommandError(
        `error when retrieving current configuration of:\nfrom server for: ${JSON.stringify(manifest?.source ?? '')}: resource name may not be empty`,
      );
    const wanted = withLastApplied(document, this.#vocabulary);
    const live = await this.#writes.find({ kind, namespace, name });
    if (!live) return this.#create(object, wanted);
    await this.#warnOfMissing(object, live);
    if (this.#flags.dryRun === 'client') {
      return { object: live, done: outcomeWord('configured', 'client') };
    }
    const source = manifest?.source ?? '';
    return this.#patch(object, wanted, live).catch(async (error: unknown) => {
      if (!this.#flags.force || !isRefusal(error, 'Conflict', 'Invalid'))
        return whileDoing('applying patch to', source)(error);
      return this.#recreate(object, wanted);
    });
  }

  async #create({ resource, namespace, manifest }: SelectedObject, wanted: ManifestObject): Promise<Written> {
    const { dryRun } = this.#flags;
    const created =
      dryRun === 'client'
        ? wanted
        : await this.#writes.create(resource, namespace, wanted).catch(whileDoing('creating', manifest?.source ?? ''));
    return { object: created, done: outcomeWord('created', dryRun) };
  }

  async #patch(object: SelectedObject, wanted: ManifestObject, found: AnyObject): Promise<Written> {
    const { resource: kind, namespace, name } = object;
    const target = { kind, namespace, name, subresource: this.#flags.subresource ?? '' };
    const plan = this.#flags.openapiPatch ? await this.#plans.planOf(kind) : undefined;
    let live = found;
    for (let attempt = 1; ; attempt++) {
      const before = parsed(lastApplied(live, this.#vocabulary));
      const patch = threeWayDifference(before, wanted as unknown as JsonObject, live as unknown as JsonObject, plan);
      if (Object.keys(patch).length === 0) {
        const word = asksForObjects(this.#flags) ? 'configured' : 'unchanged';
        return { object: live, done: outcomeWord(word, this.#flags.dryRun) };
      }
      try {
        const patched = await this.#writes.patch(target, plan ? 'strategic' : 'merge', patch);
        return { object: patched, done: outcomeWord('configured', this.#flags.dryRun) };
      } catch (error) {
        if (!isRefusal(error, 'Conflict') || attempt === MOST_ATTEMPTS) throw error;
        live = await this.#writes.get(target);
      }
    }
  }

  /** What cannot be changed in place is made anew. */
  async #recreate(object: SelectedObject, wanted: ManifestObject): Promise<Written> {
    const deletion = await deleteObject(this.#writes, object, deletionOptions(this.#flags));
    await untilGone(this.#session, this.#writes, [deletion], this.#flags.timeout);
    const { resource, namespace } = object;
    const created = await this.#writes.create(resource, namespace, wanted);
    return { object: created, done: outcomeWord('configured', this.#flags.dryRun) };
  }

  async #warnOfMissing({ resource, name }: SelectedObject, live: AnyObject): Promise<void> {
    if (lastApplied(live, this.#vocabulary) !== undefined) return;
    const key = lastAppliedKey(this.#vocabulary);
    await write(
      this.#session.io.stderr,
      `Warning: resource ${resource.plural}/${name} is missing the ${key} annotation which is required by platformctl apply. platformctl apply should only be used on resources created declaratively by either platformctl create --save-config or platformctl apply. The missing annotation will be patched automatically.\n`,
    );
  }
}

/** What cannot be read is as good as nothing remembered. */
function parsed(text: string | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
