// Asks a server for /livez again and again on one connection, and tells the longest wait between two messages of its parent:
// any message starts a new measure, and is answered with the longest wait since the one before, in milliseconds.

import { Agent, request } from 'node:https';

const [server] = process.argv.slice(2);
const { hostname, port } = new URL(server);
const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
let longest = 0;
let asked = 0;
/** When the question that is under way was asked; a wait that goes on counts as well. */
let began = 0;

function ask() {
  began = performance.now();
  const outgoing = request({ agent, hostname, port, path: '/livez' }, (incoming) => {
    incoming.resume();
    incoming.on('end', () => next());
  });
  // A server that is gone answers nobody: the measure shows it.
  outgoing.on('error', () => setTimeout(ask, 5));
  outgoing.end();
}

function next() {
  longest = Math.max(longest, performance.now() - began);
  asked++;
  began = 0;
  setTimeout(ask, 1);
}

process.on('message', () => {
  const waiting = began === 0 ? 0 : performance.now() - began;
  process.send({ longest: Math.max(longest, waiting), asked });
  longest = 0;
  asked = 0;
  if (began !== 0) began = performance.now();
});
process.on('disconnect', () => process.exit(0));
ask();
