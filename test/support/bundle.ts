import { bundle } from '../../build.mjs';

/** Before any test: the command that tests start is the code that is in the tree. */
export async function setup(): Promise<void> {
  await bundle('dist');
}
