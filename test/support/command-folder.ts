/** Where the command that tests start is, in the checkout. */
export const COMMAND_FOLDER = '.cache/command';
