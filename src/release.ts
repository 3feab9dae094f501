export const MAJOR = '1';
export const MINOR = '25';

/** The release whose interface this server has. Deprecations are counted from it. */
export const RELEASE = `${MAJOR}.${MINOR}`;
