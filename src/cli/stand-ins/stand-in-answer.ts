/** Where a stand-in says what it is; a real etcd has nothing there. */
export const STAND_IN_PATH = '/stand-in';

/** What it says there. */
export const STAND_IN_ANSWER = 'platform-apiserver stand-in for etcd';

/** The release that it passes itself off as. */
export const ETCD_VERSION = '3.5.0';
