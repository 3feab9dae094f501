// Plays the recorded scenarios of the reference server against ours and holds the outcome against the baseline: a
// scenario that once passed must go on passing. `--update` writes the baseline anew; other arguments go to the player.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const corpus = join(root, '..', 'shared', 'conformance');
const baselineFile = join(root, 'test', 'conformance-baseline.json');
const fixture = (name) => join(corpus, 'fixtures', name);

if (!existsSync(join(corpus, 'run.mjs'))) {
  console.log('conformance: skipped, the recordings are not here');
  process.exit(0);
}

/** Runs the player; resolves with the verdict of every scenario it played. */
function play(url, extra) {
  const args = [join(corpus, 'run.mjs'), '--server', url, '--jobs', '2', ...extra];
  const player = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  player.stdout.on('data', (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  return new Promise((resolve) => {
    player.on('close', () => {
      const verdicts = [...output.matchAll(/^(ok|FAIL) +(\S+) \(/gm)];
      resolve(new Map(verdicts.map(([, verdict, name]) => [name, verdict === 'ok'])));
    });
  });
}

// A bundle of its own, so that what is played against is what is in the tree.
const bundled = join(root, 'node_modules', '.cache', `conformance-${process.pid}`);
await build(bundled, { declarations: false });
const { startServer } = await import(join(bundled, 'index.js'));

const SETTINGS = {
  port: 0,
  tokenAuthFile: fixture('tokens.csv'),
  clientCaFile: fixture('client-ca.crt'),
  clusterSigningCertFile: fixture('client-ca.crt'),
  clusterSigningKeyFile: fixture('client-ca.key'),
  requestheaderClientCaFile: fixture('proxy-ca.crt'),
  requestheaderAllowedNames: ['front-proxy'],
  requestheaderUsernameHeaders: ['X-Remote-User'],
  requestheaderGroupHeaders: ['X-Remote-Group'],
  requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
  enableBootstrapTokenAuth: true,
  serviceAccountKeyFile: [fixture('service-account.key')],
  serviceAccountSigningKeyFile: fixture('service-account.key'),
  serviceAccountIssuer: ['https://platform.default.svc'],
  authorizationMode: ['Node', 'RBAC'],
  // The recorded plane had no loop that counts budgets: scenarios say themselves what it would have found.
  controllers: ['*', '-disruption'],
};

/** More than these are no bad luck. */
const MOST_REPLAYED = 3;

/** Plays against a server of its own. */
async function playOn(settings, extra) {
  const dataDir = mkdtempSync(join(tmpdir(), 'platform-conformance-'));
  const server = await startServer({ dataDir, ...SETTINGS, ...settings });
  const outcome = await play(server.url, extra);
  await server.close();
  rmSync(dataDir, { recursive: true });
  return outcome;
}

/** The scenarios that only a server with some uncommon quality can pass. */
function scenariosThatNeed(quality) {
  const folder = join(corpus, 'scenarios');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const needs = (file) => JSON.parse(readFileSync(file, 'utf8')).needs ?? [];
  return files.map((name) => join(folder, name)).filter((file) => needs(file).includes(quality));
}

const update = process.argv.includes('--update');
const extra = process.argv.slice(2).filter((argument) => argument !== '--update');
const outcome = new Map([
  ...(await playOn({}, ['--patience', '6', ...extra])),
  ...(await playOn({ historyRetention: 2_000 }, [
    ...['--patience', '15', '--with', 'short-history', ...extra],
    ...scenariosThatNeed('short-history'),
  ])),
]);
const baseline = JSON.parse(readFileSync(baselineFile, 'utf8'));
/** Those that passed before. */
const lostIn = (played) => baseline.filter((name) => played.get(name) === false);

// The player draws names at random, and does not recognise one of digits alone in an answer: such a scenario is played once
// more. What is really lost stays so.
const doubtful = lostIn(outcome);
if (!update && doubtful.length > 0 && doubtful.length <= MOST_REPLAYED) {
  console.log(`conformance: played once more: ${doubtful.join(', ')}`);
  const again = await playOn({}, ['--patience', '6', '--only', `^(${doubtful.join('|')})$`]);
  for (const [name, ok] of again) outcome.set(name, ok);
}
rmSync(bundled, { recursive: true });

const passing = [...outcome].filter(([, ok]) => ok).map(([name]) => name);
if (update) {
  // What was not played keeps its place.
  const names = [...passing, ...baseline.filter((name) => !outcome.has(name))].sort();
  writeFileSync(baselineFile, `${JSON.stringify(names, null, 2)}\n`);
  console.log(`conformance: baseline written, ${names.length} scenarios`);
} else {
  const lost = lostIn(outcome);
  const gained = passing.filter((name) => !baseline.includes(name)).sort();
  if (gained.length > 0) console.log(`conformance: not in the baseline yet: ${gained.join(', ')}`);
  if (lost.length > 0) {
    console.log(`conformance: these passed before: ${lost.join(', ')}`);
    process.exitCode = 1;
  }
}
