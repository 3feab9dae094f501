/**
 * The floor: a bare Node server on the same transport that sends what it was given. Reads cost it nothing but sending;
 * a write is read whole and put into LMDB, durably, before it is answered; watchers get the same frame for each write.
 */
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { open } from 'lmdb';

const [key, cert, ca, directory] = process.argv.slice(2);

/** What to answer: { status, headers, body, frame }. The frame goes to every watcher after a write. */
let answer;
const watchers = new Set();
const database = open({ path: directory, encoding: 'binary', overlappingSync: false });
let written = 0;

const server = createSecureServer({
  key: readFileSync(key),
  cert: readFileSync(cert),
  ca: readFileSync(ca),
  allowHTTP1: true,
  requestCert: true,
  rejectUnauthorized: false,
  noDelay: true,
  // Megabytes; by default Node refuses streams while ten are waiting to be sent.
  maxSessionMemory: 128,
});

server.on('request', (request, response) => {
  const { method, url } = request;
  const begin = (head) => response.writeHead(answer.status, head);
  if (method === 'GET') read(url, begin, response);
  else write(request, begin, response);
});
// Node would present HTTP/2 streams as requests too; they are faster as streams.
server.removeAllListeners('stream');
server.on('stream', (stream, headers) => {
  const begin = (head) => stream.respond({ ':status': answer.status, ...head });
  if (headers[':method'] === 'GET') read(headers[':path'], begin, stream);
  else write(stream, begin, stream);
});

function read(url, begin, out) {
  if (url.includes('watch=1')) {
    begin(answer.headers);
    out.flushHeaders?.();
    watchers.add(out);
    out.on('close', () => watchers.delete(out)).on('error', () => {});
    return;
  }
  begin({ ...answer.headers, 'content-length': answer.body.length });
  out.end(answer.body);
}

function write(source, begin, out) {
  const parts = [];
  source.on('data', (part) => parts.push(part));
  source.on('end', async () => {
    await database.put(written++, Buffer.concat(parts));
    for (const watcher of watchers) watcher.write(answer.frame);
    begin({ ...answer.headers, 'content-length': answer.body.length });
    out.end(answer.body);
  });
}

process.on('message', (message) => {
  answer = message;
  process.send('set');
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
