/** A process of its own that sends requests as fast as they are answered, and counts. Told what to do by its parent. */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { Http1Client } from './http1-client.mjs';
import { Http2Client } from './http2-client.mjs';

const CLIENTS = { h1: Http1Client, h2: Http2Client };
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Goes on counting from job to job: no two requests of a run carry the same number. */
let serial = 0;
let watchers = [];
let received = 0;
let onReceived = () => {};

async function openOne({ protocol, port }) {
  const Client = CLIENTS[protocol];
  const socket = connect({ port, host: '127.0.0.1', ALPNProtocols: [Client.alpn], rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return new Client(socket.setNoDelay(true));
}

const openAll = (job) => Promise.all(Array.from({ length: job.connections }, () => openOne(job)));

/** What the next load begins with. */
let opened;

/** Opens the connections of the load to come, so that what they cost is not taken for the price of a request. */
async function open(job) {
  opened = await openAll(job);
}

/** Keeps `streams` requests under way on every connection, for some seconds or for a number of answers. */
async function load(job) {
  const { seconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY, leastBytes = 0, streams } = job;
  const template = CLIENTS[job.protocol].template(job.request, job);
  const clients = opened ?? (await openAll(job));
  opened = undefined;
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const result = { answers: 0, failed: 0, bytes: 0 };
  let sent = 0;
  let underWay = 0;
  await new Promise((resolve) => {
    const next = (client) => {
      const over = sent >= count || performance.now() - begun > seconds * 1000;
      if (!over) {
        sent++;
        underWay++;
        client.send(template, serial++, (bytes) => answered(client, bytes));
      } else if (underWay === 0) resolve();
    };
    const answered = (client, bytes) => {
      underWay--;
      result.answers++;
      result.bytes += bytes;
      // A refusal is a short document.
      if (bytes < leastBytes) result.failed++;
      next(client);
    };
    for (const client of clients) for (let stream = 0; stream < streams; stream++) next(client);
  });
  for (const client of clients) client.close();
  return { ...result, ...spent(begun, cpu) };
}

function spent(begun, cpu) {
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** Connections that are being opened at a time. More than a few are not opened sooner. */
const OPENING = 16;

/** Opens watches; resolves when all of them have begun. A server does not wait long for the first request. */
async function watch(job) {
  const template = CLIENTS[job.protocol].template(job.request, job);
  received = 0;
  const openSome = async () => {
    while (watchers.length < job.connections) {
      const at = watchers.push(undefined) - 1;
      const client = await openOne(job);
      watchers[at] = client;
      client.onPart = eventCounter();
      await Promise.all(Array.from({ length: job.streams }, () => begin(client, template)));
    }
  };
  await Promise.all(Array.from({ length: OPENING }, openSome));
}

const begin = (client, template) =>
  new Promise((resolve) => {
    client.send(template, 0, () => {}, resolve);
  });

/** Counts events by the line ends after them, which are bare; those of HTTP/1.1's own framing are not. */
function eventCounter() {
  let last = 0;
  return (part) => {
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) {
      if ((at === 0 ? last : part[at - 1]) !== CARRIAGE_RETURN) received++;
    }
    last = part[part.length - 1];
    onReceived();
  };
}

/** Makes `count` changes and waits until every watcher has seen them all. */
async function burst(job) {
  const expected = received + job.count * job.watchers;
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const { failed } = await load(job);
  await new Promise((resolve) => {
    onReceived = () => {
      if (received >= expected) resolve();
    };
    onReceived();
  });
  onReceived = () => {};
  return { answers: job.count * job.watchers, failed, ...spent(begun, cpu) };
}

/** Waits until so many events have come from now on, wherever the changes are made. */
function expect({ count }) {
  const expected = received + count;
  return new Promise((resolve) => {
    onReceived = () => {
      if (received < expected) return;
      onReceived = () => {};
      resolve();
    };
  });
}

/** Opens one more watch, of which nothing is read once it has begun. */
async function stall(job) {
  const { request, protocol } = job;
  const client = await openOne(job);
  await begin(client, CLIENTS[protocol].template(request, job));
  client.pause();
  watchers.push(client);
}

function unwatch() {
  for (const client of watchers) client.close();
  watchers = [];
}

const JOBS = { open, load, watch, burst, expect, stall, unwatch };

process.on('message', async (job) => {
  process.send({ id: job.id, result: await JOBS[job.do](job) });
});
