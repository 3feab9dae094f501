import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs that `fetch-peers.mjs` fetched, a folder for each. */
export const PEERS = fileURLToPath(new URL('../.cache/peers', import.meta.url));

/** Major releases that the server runs on. */
export const SUPPORTED_NODES = [20, 22, 24];

/** Where the program is in a folder that holds a release of Node. */
export const nodeIn = (folder) =>
  join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
