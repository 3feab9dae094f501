import { formatTime } from '../schema/time.ts';
import type { StoredVersion } from '../storage/backend.ts';

/** What a plane holds that has just been started, as others may take it over. */
export interface FoundationText {
  /** Which settings it was made with; of others it says nothing. */
  readonly settings: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly made: number;
  /** The certificate of the authority, which some objects show. */
  readonly authority: string;
  readonly versions: readonly StoredVersion[];
}

/** Stands for the authority, in texts that are JSON. */
const AUTHORITY = '"@authority@"';

const UUID = /"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g;
const SECOND = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=Z"|\.\d{6}Z")/g;
const SECOND_LENGTH = '0000-00-00T00:00:00'.length;

/** A line for what is true of all, then one for each object: its revision, its key, its text. */
export function writeFoundation({ settings, made, authority, versions }: FoundationText): string {
  const shown = JSON.stringify(authority);
  const lines = versions.map(({ revision, key, bytes }) => {
    const text = bytes.toString('utf8');
    if (text.includes(AUTHORITY)) throw new Error(`${key} holds what stands for the authority`);
    return `${revision} ${key} ${text.replaceAll(shown, AUTHORITY)}`;
  });
  return [JSON.stringify({ settings, made }), ...lines, ''].join('\n');
}

/** Whose a foundation becomes. */
export interface NewOwner {
  readonly settings: string;
  readonly authority: string;
  /** When it is to have been made. */
  readonly made: number;
  uuid(): string;
}

/**
 * The same objects as if they had been made for somebody else: at another time, each with a UID of its own, under another
 * authority. Undefined when they were made with other settings.
 */
export function readFoundation(text: string, owner: NewOwner): readonly StoredVersion[] | undefined {
  const [first = '', ...lines] = text.split('\n');
  const { settings, made } = JSON.parse(first) as Pick<FoundationText, 'settings' | 'made'>;
  if (settings !== owner.settings) return undefined;
  const authority = JSON.stringify(owner.authority);
  const uuidOf = remembering(() => `"${owner.uuid()}"`);
  const secondOf = remembering((second) => {
    const at = Date.parse(`${second.slice(1)}Z`) - made + owner.made;
    return `"${formatTime(at).slice(0, SECOND_LENGTH)}`;
  });
  return lines.filter(Boolean).map((line) => {
    const [revision = '', key = ''] = line.split(' ', 2);
    const own = line
      .slice(revision.length + key.length + 2)
      .replaceAll(UUID, uuidOf)
      .replaceAll(SECOND, secondOf)
      .replaceAll(AUTHORITY, () => authority);
    return { revision: Number(revision), key, bytes: Buffer.from(own), deleted: false, time: owner.made };
  });
}

/** The same answer to the same text. */
function remembering(answer: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const answered = known.get(text) ?? answer(text);
    known.set(text, answered);
    return answered;
  };
}
