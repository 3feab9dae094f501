import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http2';

/**
 * A KMS v2 plugin: a gRPC server on a socket that is a file. `node kms-plugin-program.mjs SOCKET KEYS`, where KEYS is JSON
 * with the keys in base64 by their ids, the current id and what Status says; it is read for every call. Written without
 * the code of the server, so that each proves the other.
 */

const [, , socket, keysFile] = process.argv;
const NONCE = 12;
const TAG = 16;

/** The fields of a message whose fields are all delimited, the last of each number. */
function fieldsIn(message) {
  const fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    if ((tag & 7) !== 2) throw new Error(`wire type ${tag & 7}`);
    const length = varint();
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), message.subarray(at, at + length)]);
    at += length;
  }
  return fields;
}

function field(number, value) {
  const bytes = Buffer.from(value);
  const length = [];
  for (let rest = bytes.length; ; rest >>= 7) {
    if (rest < 0x80) {
      length.push(rest);
      break;
    }
    length.push((rest & 0x7f) | 0x80);
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}

const ANNOTATION = ['version.example.com', 'one'];

const METHODS = {
  Status: ({ current, healthz }) => Buffer.concat([field(1, 'v2'), field(2, healthz ?? 'ok'), field(3, current)]),
  Encrypt({ current, keys }, request) {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(keys[current], 'base64'), nonce);
    const [plain] = request.get(1);
    const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    const annotation = Buffer.concat([field(1, ANNOTATION[0]), field(2, ANNOTATION[1])]);
    return Buffer.concat([field(1, sealed), field(2, current), field(3, annotation)]);
  },
  Decrypt({ keys }, request) {
    const id = request.get(3)?.[0]?.toString() ?? '';
    if (keys[id] === undefined) throw new Error(`there is no key ${id}`);
    const [annotation] = (request.get(4) ?? []).map(fieldsIn);
    const name = annotation?.get(1)?.[0]?.toString();
    if (name !== ANNOTATION[0]) throw new Error('the annotation is missing');
    const [sealed] = request.get(1);
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(keys[id], 'base64'), sealed.subarray(0, NONCE));
    decipher.setAuthTag(sealed.subarray(-TAG));
    return field(1, Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]));
  },
};

function answer(path, body) {
  const [, service, method] = path.split('/');
  if (service !== 'v2.KeyManagementService' || !Object.hasOwn(METHODS, method)) throw new Error(`no ${path}`);
  const message = METHODS[method](JSON.parse(readFileSync(keysFile, 'utf8')), fieldsIn(body.subarray(5)));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

const server = createServer();
server.on('stream', (stream, headers) => {
  const parts = [];
  stream.on('error', () => undefined);
  stream.on('data', (part) => parts.push(part));
  stream.on('end', () => {
    let reply;
    let trailers = { 'grpc-status': '0' };
    try {
      reply = answer(headers[':path'], Buffer.concat(parts));
    } catch (error) {
      trailers = { 'grpc-status': '3', 'grpc-message': encodeURIComponent(error.message) };
    }
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.end(reply);
  });
});
server.listen(socket, () => process.stdout.write('listening\n'));
// Whoever started this process has gone.
process.stdin.on('end', () => process.exit(0)).resume();
