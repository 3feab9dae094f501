import { kinds } from '../state/catalogue.ts';
import { type Json, type JsonObject, objectAt } from './json.ts';
import { groupNamed } from './names.ts';
import { sendForJson } from './request.ts';

const VERSION = 'v1alpha1';

/** Whether the server answers questions of a sort: an older one, or one with the group switched off, does not. */
export const canExplain = (plural: string): boolean =>
  kinds.value.some((kind) => kind.group === groupNamed('explain') && kind.plural === plural);

/** The server's answer to a question. */
export async function ask(plural: string, spec: Json, signal?: AbortSignal): Promise<JsonObject> {
  const path = `/apis/${groupNamed('explain')}/${VERSION}/${plural}`;
  const answer = await sendForJson(path, { method: 'POST', body: { spec }, ...(signal ? { signal } : {}) });
  return objectAt(answer, 'status');
}

/** What the server remembers under a name, or all of it. */
export const lookUp = (plural: string, name = '', signal?: AbortSignal): Promise<JsonObject> =>
  sendForJson(
    `/apis/${groupNamed('explain')}/${VERSION}/${plural}${name === '' ? '' : `/${encodeURIComponent(name)}`}`,
    {
      ...(signal ? { signal } : {}),
    },
  );
