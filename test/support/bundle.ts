import { buildIfChanged } from '../../build.mjs';
import { COMMAND_FOLDER } from './command-folder.ts';

/** Before any test: the command that tests start is the code that is in the tree. What `npm start` runs is left alone. */
export async function setup(): Promise<void> {
  await buildIfChanged(COMMAND_FOLDER, { declarations: false });
}
