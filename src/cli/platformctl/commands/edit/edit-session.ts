import { ApiError } from '../../../../api/errors.ts';
import type { AnyObject } from '../../../../client/plane-client.ts';
import { CommandError, SilentExit } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { manifestsIn } from '../../manifests/read-manifests.ts';
import { commentedText, contentText, type EditFormat, isEmpty, type Reason, withoutComments } from './edited-text.ts';
import { edited, keepCopy } from './editor.ts';

/** Nobody means to be asked more often. */
const MOST_ROUNDS = 100;

/** What an edit is for. */
export interface EditPurpose {
  /** How messages call an object, such as `configmaps "one"`. */
  nameOf(object: AnyObject): string;
  /** Stores one object that was edited. */
  store(before: AnyObject, after: AnyObject): Promise<void>;
}

/**
 * Has objects edited until all that were changed are stored, or whoever edits gives up: by leaving the text as it is, or by
 * leaving nothing of it. What is refused comes back with the reason above it.
 */
export async function editObjects(
  session: Session,
  objects: readonly AnyObject[],
  format: EditFormat,
  purpose: EditPurpose,
): Promise<void> {
  const { io } = session;
  const suffix = `.${format}`;
  let pending = objects;
  let content = contentText(pending, format);
  let reasons: Reason[] = [];
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const shown = commentedText(content, format, reasons);
    const text = await edited(io, shown, suffix);
    if (withoutComments(text) === withoutComments(shown)) return giveUp(session, text, suffix, reasons);
    if (isEmpty(text)) return cancel(session, 'saved file was empty.', reasons);
    const attempt = await storeAll(pending, text, purpose).catch((error: unknown) => error);
    if (attempt instanceof UnusableText) {
      content = withoutComments(text);
      reasons = [{ head: 'The edited file had a syntax error', details: [attempt.message] }];
      continue;
    }
    if (!Array.isArray(attempt)) {
      await tellCopy(session, text, suffix);
      throw attempt;
    }
    const refused = attempt as Refused[];
    if (refused.length === 0) return;
    for (const { reason } of refused)
      await write(io.stderr, `error: ${reason.head.replace(/ was not valid$/, ' is invalid')}\n`);
    pending = refused.map(({ before }) => before);
    content = contentText(
      refused.map(({ after }) => after),
      format,
    );
    reasons = refused.map(({ reason }) => reason);
  }
  throw new CommandError(`edited ${MOST_ROUNDS} times without success`);
}

/** What cannot be read as objects. */
class UnusableText extends Error {}

interface Refused {
  readonly before: AnyObject;
  readonly after: AnyObject;
  readonly reason: Reason;
}

async function storeAll(pending: readonly AnyObject[], text: string, purpose: EditPurpose): Promise<Refused[]> {
  const results = await objectsIn(text);
  const byIdentity = new Map(pending.map((object) => [identityOf(object), object]));
  const pairs = results.map((after) => {
    const before = byIdentity.get(identityOf(after));
    if (!before) throw new CommandError('At least one of apiVersion, kind and name was changed');
    return { before, after };
  });
  const refused: Refused[] = [];
  for (const { before, after } of pairs) {
    try {
      await purpose.store(before, after);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason === 'NotFound') throw error;
      refused.push({ before, after, reason: reasonOf(error, purpose.nameOf(before)) });
    }
  }
  return refused;
}

const identityOf = ({ apiVersion, kind, metadata }: AnyObject): string =>
  JSON.stringify([apiVersion, kind, metadata.namespace ?? '', metadata.name ?? '']);

async function objectsIn(text: string): Promise<AnyObject[]> {
  const found: AnyObject[] = [];
  try {
    for await (const { object } of manifestsIn(withoutComments(text), 'edited file')) found.push(object as AnyObject);
  } catch (error) {
    throw new UnusableText(error instanceof Error ? error.message : String(error));
  }
  return found;
}

function reasonOf({ details, message }: ApiError, name: string): Reason {
  const causes = (details?.causes ?? []).map(({ field, message: text }) => (field ? `${field}: ${text}` : text));
  return { head: `${name} was not valid`, details: causes.length > 0 ? causes : [message] };
}

/** The same text came back. */
async function giveUp(session: Session, text: string, suffix: string, reasons: readonly Reason[]): Promise<void> {
  if (reasons.length === 0) return cancel(session, 'no changes made.', reasons);
  await tellCopy(session, text, suffix);
  throw new CommandError('Edit cancelled, no valid changes were saved.');
}

async function cancel({ io }: Session, why: string, reasons: readonly Reason[]): Promise<void> {
  await write(io.stderr, `Edit cancelled, ${why}\n`);
  if (reasons.length > 0) throw new SilentExit(1);
}

async function tellCopy({ io }: Session, text: string, suffix: string): Promise<void> {
  await write(io.stderr, `A copy of your changes has been stored to ${JSON.stringify(await keepCopy(text, suffix))}\n`);
}
