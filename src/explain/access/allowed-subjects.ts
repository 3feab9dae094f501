import type { Wanted } from '../../authorization/attributes.ts';
import type { Grant, GrantHolder } from '../../authorization/grants.ts';
import type { AccessGrant } from '../../kinds/explain/access-grant.ts';
import type { AllowedSubject, WhoCanReviewStatus } from '../../kinds/explain/who-can-review.ts';
import { shownGrant } from './shown-rules.ts';

/** What an answer holds at most; the rest is counted. */
const MOST_SUBJECTS = 500;
const MOST_GRANTS = 1_000;
const MOST_GRANTS_OF_ONE = 20;

interface Entry {
  readonly holder: GrantHolder;
  readonly grants: AccessGrant[];
  omitted: number;
}

/** Collects grants by whom they let in. */
export class AllowedSubjects {
  readonly #wanted: Wanted;
  readonly #shown = new Map<string, Entry>();
  readonly #omitted = new Set<string>();
  #grants = 0;
  #everyone = false;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  /** Whether one of the grants lets everyone in. */
  get everyone(): boolean {
    return this.#everyone;
  }

  add(mode: string, grant: Grant): void {
    const { holder } = grant;
    if (holder.kind === 'Everyone') {
      this.#everyone = true;
      return;
    }
    const key = `${holder.kind}/${holder.namespace}/${holder.name}`;
    const entry = this.#entryFor(key, holder);
    if (!entry) this.#omitted.add(key);
    else if (!entry.grants.some(({ binding }) => isSame(binding, grant.binding))) this.#addTo(entry, mode, grant);
  }

  status(): Pick<WhoCanReviewStatus, 'everyone' | 'subjects' | 'omittedSubjects'> {
    const entries = [...this.#shown].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      everyone: this.#everyone,
      subjects: entries.map(([, entry]) => subjectOf(entry)),
      omittedSubjects: this.#omitted.size,
    };
  }

  #entryFor(key: string, holder: GrantHolder): Entry | undefined {
    const known = this.#shown.get(key);
    if (known || this.#shown.size >= MOST_SUBJECTS || this.#grants >= MOST_GRANTS) return known;
    const entry = { holder, grants: [], omitted: 0 };
    this.#shown.set(key, entry);
    return entry;
  }

  #addTo(entry: Entry, mode: string, grant: Grant): void {
    if (entry.grants.length >= MOST_GRANTS_OF_ONE || this.#grants >= MOST_GRANTS) {
      entry.omitted++;
      return;
    }
    this.#grants++;
    entry.grants.push(shownGrant(mode, grant, this.#wanted));
  }
}

/** A binding may name a subject twice, and is one way all the same. */
const isSame = (one: AccessGrant['binding'], other: Grant['binding']): boolean =>
  one !== undefined && one.kind === other?.kind && one.namespace === other.namespace && one.name === other.name;

const subjectOf = ({ holder, grants, omitted }: Entry): AllowedSubject => ({
  kind: holder.kind,
  namespace: holder.namespace,
  name: holder.name,
  grants,
  omittedGrants: omitted,
});
