// Reads one object again and again, in a process of its own so that nobody else's work counts, until its parent says that it
// is enough. node bench/prober.mjs PORT PATH
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUTHORIZATION } from './planes.mjs';

const PAUSE_MS = 50;
const [port, path] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
/** A look at the clock every so often tells of times when the machine itself stood still. */
const LOOK_EVERY_MS = 5;
const waits = [];
let isEnough = false;
let looked = performance.now();
let longestPause = 0;
const looking = setInterval(() => {
  const now = performance.now();
  longestPause = Math.max(longestPause, now - looked - LOOK_EVERY_MS);
  looked = now;
}, LOOK_EVERY_MS);
process.once('message', () => {
  isEnough = true;
});

const read = () =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: AUTHORIZATION, agent }, (answer) => {
      answer.resume().on('end', resolve);
    });
    sent.on('error', reject).end();
  });

while (!isEnough) {
  const begun = performance.now();
  await read();
  waits.push(performance.now() - begun);
  await sleep(PAUSE_MS);
}
clearInterval(looking);
waits.sort((a, b) => a - b);
const quantile = (share) => Math.round((waits[Math.floor(waits.length * share)] ?? 0) * 10) / 10;
process.send({
  reads: waits.length,
  p50: quantile(0.5),
  p99: quantile(0.99),
  most: quantile(0.9999),
  ownPause: Math.round(longestPause * 10) / 10,
});
process.disconnect();
agent.destroy();
