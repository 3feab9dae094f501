/** Ways to break a source on purpose: the battery that does not notice one is worth nothing. */
export const INFORMER_MUTATIONS = {
  'ignores that history is forgotten': [
    'informing/reflector.ts',
    "if (code === GONE && this.#version !== '') this.#version = '';",
    'if (code === GONE) return;',
  ],
  'forgets deletions when it lists again': [
    'informing/informer.ts',
    'for (const { key } of gone) this.#held.remove(key);',
    '',
  ],
  'calls no handler for what is gone when it lists again': ['informing/informer.ts', '[...removed, ...', '[...'],
  'loses bookmarks': [
    'informing/reflector.ts',
    "if (this.#version !== '') this.#version = version;",
    "if (this.#version !== '' && type !== 'BOOKMARK') this.#version = version;",
  ],
  'claims nothing after a bookmark': ['informing/reflector.ts', 'this.#reflection.onBookmark?.(version);', ''],
  'goes on one version too late': [
    'informing/reflector.ts',
    "query.set('resourceVersion', this.#version)",
    "query.set('resourceVersion', String(Number(this.#version) + 1))",
  ],
  'goes on one version too early': [
    'informing/reflector.ts',
    "query.set('resourceVersion', this.#version)",
    "query.set('resourceVersion', String(Number(this.#version) - 1))",
  ],
  'shows half a list': ['informing/informer.ts', 'if (held) this.#staged.set(held.key, held);\n      return;', ''],
  'takes the first page for the whole list': [
    'informing/reflector.ts',
    "while (listed.next !== '')",
    "while (listed.next === 'never')",
  ],
  'keeps the pages of a list that broke off': [
    'informing/informer.ts',
    'onListing: () => {\n        this.#staged = new Map();',
    'onListing: () => {',
  ],
  'never notices that a connection is silent': [
    'informing/event-stream.ts',
    'runtime.after(idleMs,',
    'runtime.after(1e12,',
  ],
  'waits for an answer without end': ['informing/reflector.ts', 'const ANSWER_MS = 75_000', 'const ANSWER_MS = 1e12'],
  'tries again without a pause': [
    'informing/reflector.ts',
    'this.#waiting.pause(this.#backoff.next(this.#workedMs, retryAfterMs(error)))',
    'Promise.resolve()',
  ],
  'leaves streams open that came too late': [
    'informing/reflector.ts',
    '(late) => void late.destroy()',
    '() => undefined',
  ],
  'keeps what is gone in its indexes': [
    'informing/held-objects.ts',
    'for (const value of held.values[at] ?? []) this.#removeFrom(index, value, key);',
    '',
  ],
  'hands a slow reader a removal too many': [
    'informing/change-feed.ts',
    "first.type === 'added' ? [] :",
    "first.type === 'changed' ? [] :",
  ],
  'takes an object of the same name for the same': [
    'informing/informer.ts',
    'if (before.uid === held.uid) return',
    'if (before) return',
  ],
};

/** From which seed on to look, so that it is not long before one notices; from 1 unless given. */
export const FIRST_SEEDS = {
  'ignores that history is forgotten': 4,
  'forgets deletions when it lists again': 10,
  'calls no handler for what is gone when it lists again': 10,
  'shows half a list': 3,
  'takes the first page for the whole list': 4,
  'keeps the pages of a list that broke off': 55,
  'never notices that a connection is silent': 2,
  'waits for an answer without end': 2,
  'tries again without a pause': 2,
  'leaves streams open that came too late': 5,
  'takes an object of the same name for the same': 10,
};
