import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vocabularyNames } from '../vocabulary/vocabulary.ts';
import { foundationTextOf } from './prepared-planes.ts';

/** Run by the build, with a folder: writes what planes begin with that nobody gives other settings, in each vocabulary. */
const [folder = ''] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
for (const vocabulary of vocabularyNames) {
  await writeFile(join(folder, `${vocabulary}.txt`), await foundationTextOf({ store: 'memory', vocabulary }));
}
