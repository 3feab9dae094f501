import { SCRIPTS } from '../completion/scripts.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';

const PROGRAM = 'platformctl';
const SHELLS = Object.keys(SCRIPTS).sort();

export const completion = command({
  usage: 'completion bash|zsh|fish',
  about: `Prints the script that completes lines in a shell: commands, flags, resources, and names of objects that are there.`,
  examples: [
    ['Completion in this bash', 'completion bash > ~/.platformctl.bash && source ~/.platformctl.bash'],
    ['In every zsh', 'completion zsh > ~/.zfunc/_platformctl'],
    ['In every fish', 'completion fish > ~/.config/fish/completions/platformctl.fish'],
  ],
  flags: {},
  async run({ args: [shell, ...more], session }) {
    if (shell === undefined) throw new CommandError(`Shell not specified.\nexpected one of ${SHELLS.join(', ')}`);
    if (more.length > 0) throw new CommandError('Too many arguments. Expected only the shell type.');
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (!script) throw new CommandError(`Unsupported shell type "${shell}".`);
    await write(session.io.stdout, script(PROGRAM));
  },
});
