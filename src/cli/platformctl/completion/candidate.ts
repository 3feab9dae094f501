/** A word that may come next, with a remark for shells that show one. */
export interface Candidate {
  readonly word: string;
  readonly about?: string;
  /** More is to follow without a space, as after `pod/`. */
  readonly isOpen?: boolean;
}

/** What may stand at the end of a line; `files` where a shell knows better. */
export type Completion = readonly Candidate[] | 'files';
