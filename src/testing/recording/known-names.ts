interface Named {
  readonly metadata?: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly name?: string;
    readonly generateName?: string;
    readonly continue?: string;
  };
  readonly items?: readonly Named[];
}

/** So many are remembered, the latest. */
const MOST_NAMES = 100_000;

/** Each name that was recorded, with that which a plane gives in its place now. */
export class KnownNames {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();

  learn(recorded: unknown, now: unknown): void {
    const [before, after] = [recorded, now] as [Named | null, Named | null];
    remember(this.#uids, before?.metadata?.uid, after?.metadata?.uid);
    remember(this.#versions, before?.metadata?.resourceVersion, after?.metadata?.resourceVersion);
    if (before?.metadata?.generateName) remember(this.#uids, before.metadata.name, after?.metadata?.name);
    remember(this.#uids, before?.metadata?.continue, after?.metadata?.continue);
    const items = new Map((after?.items ?? []).map((item) => [item.metadata?.name, item]));
    for (const item of before?.items ?? []) this.learn(item, items.get(item.metadata?.name));
  }

  /** A target or a document in JSON, with what this plane calls it. */
  translate(text: string): string {
    const named = text.replace(/[\w.%+/=-]{8,512}/g, (word) => this.#translateParts(word));
    return named.replace(/("resourceVersion":"|resourceVersion=)(\d{1,15})/g, (_, before: string, version: string) => {
      return `${before}${this.#versions.get(version) ?? version}`;
    });
  }

  #translateParts(word: string): string {
    return word
      .split('/')
      .map((part) => this.#uids.get(part) ?? part)
      .join('/');
  }
}

function remember(names: Map<string, string>, before: string | undefined, after: string | undefined): void {
  if (!before || !after) return;
  names.delete(before);
  names.set(before, after);
  for (const [oldest] of names) {
    if (names.size <= MOST_NAMES) return;
    names.delete(oldest);
  }
}
