import type { ServedGroup } from '../registry/catalogue.ts';

/** What is served in one version; of another server, as it said last. */
export interface VersionDescription {
  /** In the form that they have in the document of everything. */
  readonly resources: readonly object[];
  readonly freshness: 'Current' | 'Stale';
}

/** What other servers serve. */
export interface RemoteDescriptions {
  /** Grows with every change. */
  readonly revision: number;
  /** Settles when something is known of every version, or cannot be; undefined when there is nothing to wait for. */
  refresh(): Promise<unknown> | undefined;
  /** Undefined: this server answers for the version itself. */
  of(group: string, version: string): VersionDescription | undefined;
}

/** The groups and versions that clients can ask for, whoever answers. */
export interface GroupSource {
  /** Grows with every change. */
  readonly revision: number;
  /** By preference. */
  groups(): readonly ServedGroup[];
}
