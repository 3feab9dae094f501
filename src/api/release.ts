export const MAJOR = '1';
export const MINOR = '25';

/** The release whose interface this server has. Deprecations are counted from it. */
export const RELEASE = `${MAJOR}.${MINOR}`;

/** The version of this program, that of its package. */
export const VERSION = '0.1.0';

/** What the build writes into the bundle; not there when the sources run as they are. */
declare const BUILD_FACTS: BuildFacts | undefined;

/** Where a build came from. */
export interface BuildFacts {
  /** '' where the sources were not under version control. */
  readonly commit: string;
  /** `clean`, or `dirty` when something was changed since the commit; '' without one. */
  readonly treeState: string;
  /** A time stamp. */
  readonly date: string;
}

export const BUILD: BuildFacts =
  typeof BUILD_FACTS === 'undefined' ? { commit: '', treeState: '', date: '1970-01-01T00:00:00Z' } : BUILD_FACTS;
