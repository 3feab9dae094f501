export const MAJOR = '1';
export const MINOR = '25';

/** The release whose interface this server has. Deprecations are counted from it. */
export const RELEASE = `${MAJOR}.${MINOR}`;

/** The version of this program, that of its package. */
export const VERSION = '0.1.0';
