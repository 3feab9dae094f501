/** Looks for texts in the bytes of a record, which begin at `start`; see `StoredVersion.found`. */
export type Look = (record: Buffer, start: number) => number;

export function lookingFor(texts: readonly string[]): Look {
  const searches = texts.map(searchFor);
  return (record, start) => {
    let found = 0;
    for (let at = 0; at < searches.length; at++) if (searches[at]?.(record, start)) found |= 1 << at;
    return found;
  };
}

/**
 * A search stops at every byte that the wanted text begins with. Quotes and small letters are everywhere in JSON: so what
 * is searched for begins with the first capital letter, and what is before that is compared.
 */
function searchFor(text: string): (record: Buffer, start: number) => boolean {
  const capital = Math.max(0, text.search(/[A-Z]/));
  const [before, rest] = [Buffer.from(text.slice(0, capital)), Buffer.from(text.slice(capital))];
  return (record, start) => {
    for (let from = start + before.length; ; from++) {
      from = record.indexOf(rest, from);
      if (from === -1) return false;
      if (record.compare(before, 0, before.length, from - before.length, from) === 0) return true;
    }
  };
}
