import { parentPort, workerData } from 'node:worker_threads';
import { Slabs, sharedMemory } from '../../slabs.ts';
import { type Look, lookingFor } from './look.ts';
import { Packer, transferOf } from './packed-versions.ts';
import { FileDamaged } from './page-file.ts';
import { checkRecord, keptIn } from './record.ts';
import type { ScanReport, ScanTask } from './scan-thread.ts';
import { StoreFile } from './store-file.ts';

/** How many versions are handed over at a time, or fewer of more bytes, and how many times that may wait to be taken. */
const BATCH = 4_000;
const BATCH_BYTES = 4 << 20;
const MOST_AHEAD = 16;

const say = (report: ScanReport, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(report, transfer);

// What is handed over takes the memory with it, also what was left of that.
const newPacker = (look: Look | undefined): Packer =>
  new Packer(BATCH, look ? { look } : { keep: keptIn(new Slabs(2 * BATCH_BYTES, sharedMemory)) });

/** The other side of `readVersionsAside`. */
function scan({ path, identity, lookFor, taken }: ScanTask): number {
  const look = lookFor && lookingFor(lookFor);
  const { checkedFrom = Number.POSITIVE_INFINITY } = identity;
  const file = new StoreFile(path);
  let packer = newPacker(look);
  let [newest, handed] = [0, 0];
  const handOver = (): void => {
    const versions = packer.packed();
    say({ versions }, transferOf(versions));
    packer = newPacker(look);
    handed++;
    for (let seen = Atomics.load(taken, 0); handed - seen > MOST_AHEAD; seen = Atomics.load(taken, 0)) {
      Atomics.wait(taken, 0, seen);
    }
  };
  try {
    file.visitRecords((revision, record) => {
      packer.add(revision, record, checkRecord(revision, record, revision < checkedFrom));
      newest = revision;
      if (packer.count === BATCH || packer.bytes >= BATCH_BYTES) handOver();
    });
    if (packer.count > 0) handOver();
    return newest;
  } finally {
    file.close();
  }
}

try {
  say({ newest: scan(workerData as ScanTask) });
} catch (error) {
  if (!(error instanceof FileDamaged)) throw error;
  say({ damage: error.message });
}
