import { CommandError } from '../frame/failure.ts';

/** Words of a line that do not fit each other; where to read more is told. */
export const wrongUsage = (command: string, message: string): CommandError =>
  new CommandError(`${message}\nSee 'platformctl ${command} -h' for help and examples`);
