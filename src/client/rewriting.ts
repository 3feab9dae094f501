import type { AnyObject, PlaneClient } from './plane-client.ts';
import { unless } from './plane-client.ts';
import type { ServedKind } from './served-kind.ts';

const PAGE = 500;

/** How far rewriting a kind is. */
export interface RewritingPage {
  /** Objects that were looked at in this page, */
  readonly seen: number;
  /** and those that are stored anew. */
  readonly written: number;
  /** Where the next page begins; '' when this was the last one. */
  readonly next: string;
}

/**
 * Writes the objects of a kind back as they are, page by page, from where `next` says. A plane stores such a write only when
 * it would store the object in another form by now. Whatever others change or delete meanwhile is stored anew by them.
 */
export async function* rewriteAll(
  client: PlaneClient,
  kind: ServedKind,
  next: string,
  parallel: number,
): AsyncGenerator<RewritingPage> {
  let from = next;
  do {
    const page = await client.list<AnyObject>(kind, '', { limit: PAGE, next: from });
    const waiting = [...page.items];
    let written = 0;
    const work = async (): Promise<void> => {
      for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
        if (await rewrite(client, kind, object)) written++;
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    from = page.next;
    yield { seen: page.items.length, written, next: from };
  } while (from !== '');
}

async function rewrite(client: PlaneClient, kind: ServedKind, object: AnyObject): Promise<boolean> {
  const { name = '', namespace = '', resourceVersion } = object.metadata;
  const document = { ...object, apiVersion: object.apiVersion, kind: kind.kind };
  const after = await client
    .replace<AnyObject>({ kind, namespace, name }, document)
    .catch(unless('NotFound', 'Conflict', 'Gone'));
  return after !== undefined && after.metadata.resourceVersion !== resourceVersion;
}
