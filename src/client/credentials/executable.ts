import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { PluginFailure } from './plugin-failure.ts';

const SUFFIXES = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];

/**
 * The file that a command means: itself where it is a path, or else the first of that name that can be run on `path`.
 * Parts of the path that are relative are passed over, so that what is run never depends on the working directory.
 */
export async function findExecutable(command: string, path: string): Promise<string> {
  if (isAbsolute(command)) {
    if (!(await isFile(command))) throw new PluginFailure('NotFound', 'there is no such program');
    if (!(await isExecutable(command))) throw new PluginFailure('NotExecutable', 'is not executable');
    return command;
  }
  for (const folder of path.split(delimiter).filter((each) => isAbsolute(each))) {
    for (const suffix of SUFFIXES) {
      const file = join(folder, command + suffix);
      if ((await isFile(file)) && (await isExecutable(file))) return file;
    }
  }
  throw new PluginFailure('NotFound', 'there is no such program on the PATH');
}

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
