export const MAJOR = '1';
export const MINOR = '25';

/** `1.25`: releases of the interface, not of this program. */
export type Release = `${number}.${number}`;

/** The release whose interface this server has. Deprecations are counted from it. */
export const RELEASE: Release = `${MAJOR}.${MINOR}`;

/** The releases whose removals are known: a server can be started as if it were of one of them. */
export const EMULATED_RELEASES: readonly Release[] = [RELEASE, '1.26', '1.27'];

const minorOf = (release: Release): number => Number(release.slice(release.indexOf('.') + 1));

/** Whether a release is another one, or later. All are of one major release. */
export const isAtLeast = (release: Release, other: Release): boolean => minorOf(release) >= minorOf(other);

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
