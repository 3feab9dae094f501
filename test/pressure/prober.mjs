// Asks a server for /livez again and again on one connection, and tells the longest wait between two messages of its parent:
// any message starts a new measure, and is answered with the longest wait since the one before, in milliseconds, and with
// the most that the thread with the server's loop worked during one wait. Where others use the machine as well, a wait is
// mostly theirs; the work is what the wait would be without them.

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { constants, setPriority } from 'node:os';

const [server, pid, priority] = process.argv.slice(2);
const { hostname, port } = new URL(server);
const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
let longest = 0;
let mostWork = 0;
/** When the question that is under way was asked; a wait that goes on counts as well. */
let began = 0;
let workBefore = 0;

try {
  // Whatever else runs on the machine gives way to both: an answer that is not taken at once seems late.
  if (priority === 'first') {
    setPriority(Number(pid), constants.priority.PRIORITY_HIGH);
    setPriority(constants.priority.PRIORITY_HIGHEST);
  }
} catch {
  // Only the system's administrator may.
}

/** Milliseconds for which the server's loop has had a processor; 0 where the system does not tell. */
function work() {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    return 0;
  }
}

function ask() {
  began = performance.now();
  workBefore = work();
  const outgoing = request({ agent, hostname, port, path: '/livez' }, (incoming) => {
    incoming.resume();
    incoming.on('end', () => next());
  });
  // A server that is gone answers nobody: the measure shows it.
  outgoing.on('error', () => setTimeout(ask, 5));
  outgoing.end();
}

/** Takes the wait until now into account. */
function note() {
  longest = Math.max(longest, performance.now() - began);
  mostWork = Math.max(mostWork, work() - workBefore);
}

function next() {
  note();
  began = 0;
  setTimeout(ask, 1);
}

process.on('message', () => {
  if (began !== 0) note();
  process.send({ longest, work: mostWork });
  longest = 0;
  mostWork = 0;
  if (began !== 0) began = performance.now();
  workBefore = work();
});
process.on('disconnect', () => process.exit(0));
ask();
