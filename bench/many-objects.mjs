// How long a server takes to be ready with many ConfigMaps of 2 KB on disk, and what memory it takes then. They come from
// a snapshot that is made here. node bench/many-objects.mjs [count]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOf, stop } from './child.mjs';
import { configMap } from './objects.mjs';
import { caller, makeDataDir, readyLine, spawnServer } from './planes.mjs';

const COMMAND = fileURLToPath(new URL('../dist/cli/platform-apiserver.js', import.meta.url));
const MAPS = '/api/v1/namespaces/default/configmaps';
const count = Number(process.argv[2] ?? 1_000_000);

/** An object as the server stores it. */
async function template() {
  const data = makeDataDir();
  const child = spawnServer(data.directory);
  const call = caller(data.directory, await readyLine(child));
  const { body } = await call('POST', MAPS, configMap('object-0000000', '0'));
  await stop(child);
  data.remove();
  return body.toString();
}

/** Records of the first format: flags, time, length of the key, key, object. */
function writeSnapshot(path, text) {
  const file = openSync(path, 'w');
  const hash = createHash('sha256');
  const write = (bytes) => {
    hash.update(bytes);
    writeSync(file, bytes);
  };
  const header = {
    format: 'platform-apiserver snapshot',
    version: 1,
    vocabulary: 'platform',
    revision: count + 1,
    count,
  };
  write(Buffer.from(`${JSON.stringify({ ...header, created: new Date().toISOString() })}\n`));
  let parts = [];
  for (let i = 0; i < count; i++) {
    const [revision, name] = [i + 2, `object-${String(i).padStart(7, '0')}`];
    const object = text
      .replaceAll('object-0000000', name)
      .replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${revision}"`);
    const key = Buffer.from(`/configmaps/default/${name}`);
    const head = Buffer.alloc(19);
    const bytes = Buffer.from(object);
    head.writeUIntBE(revision, 0, 6);
    head.writeUInt32BE(9 + key.length + bytes.length, 6);
    head.writeUIntBE(Date.now(), 11, 6);
    head.writeUInt16BE(key.length, 17);
    parts.push(head, key, bytes);
    if (parts.length < 3000) continue;
    write(Buffer.concat(parts));
    parts = [];
  }
  write(Buffer.concat(parts));
  writeSync(file, hash.digest());
  closeSync(file);
}

const data = makeDataDir();
try {
  const snapshot = join(data.directory, 'many.snapshot');
  writeSnapshot(snapshot, await template());
  const restoring = performance.now();
  execFileSync(process.execPath, [COMMAND, 'snapshot', 'restore', snapshot, `--data-dir=${data.directory}`]);
  console.log({ restoredInSeconds: (performance.now() - restoring) / 1000 });
  console.log({ fileMegabytes: Math.round(statSync(join(data.directory, 'store', 'data.mdb')).size / 2 ** 20) });
  for (let round = 0; round < 2; round++) {
    const begun = performance.now();
    const child = spawnServer(data.directory);
    const port = await readyLine(child);
    const readySeconds = (performance.now() - begun) / 1000;
    const processorSeconds = cpuSecondsOf(child.pid);
    const call = caller(data.directory, port);
    const { status } = await call('GET', `${MAPS}/object-${String(count - 1).padStart(7, '0')}`);
    await sleep(5000);
    const text = readFileSync(`/proc/${child.pid}/status`, 'latin1');
    const megabytes = (name) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024);
    console.log({
      readySeconds,
      processorSeconds,
      status,
      anonymous: megabytes('RssAnon'),
      mapped: megabytes('RssFile'),
    });
    await stop(child);
  }
} finally {
  data.remove();
}
