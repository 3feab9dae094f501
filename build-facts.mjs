// Where a build comes from, for /version and metrics.

import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';

/** What git says in this folder; '' where there is no git or no repository. */
function git(root, ...args) {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** A copy inside of someone else's repository is not of their commit. */
function isOwnRepository(root) {
  const top = git(root, 'rev-parse', '--show-toplevel');
  return top !== '' && realpathSync(top) === realpathSync(root);
}

/** SOURCE_DATE_EPOCH, in seconds, makes builds of the same sources the same bytes. */
function buildDate() {
  const epoch = Number(process.env.SOURCE_DATE_EPOCH || Number.NaN);
  return `${new Date(Number.isNaN(epoch) ? Date.now() : epoch * 1000).toISOString().slice(0, 19)}Z`;
}

/** `BuildFacts` of src/api/release.ts. */
export function buildFacts(root) {
  const date = buildDate();
  const commit = isOwnRepository(root) ? git(root, 'rev-parse', 'HEAD') : '';
  if (commit === '') return { commit, treeState: '', date };
  return { commit, treeState: git(root, 'status', '--porcelain') === '' ? 'clean' : 'dirty', date };
}
