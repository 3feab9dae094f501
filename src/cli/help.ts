import { PLUGINS } from '../admission/plugins.ts';
import { helpText } from '../settings/command-line.ts';

/** Every flag, and every admission plugin that flags can name. */
export function help(): string {
  const width = Math.max(...PLUGINS.map(({ name }) => name.length)) + 2;
  const plugins = PLUGINS.map(
    ({ name, byDefault, does }) => `  ${byDefault ? '*' : ' '} ${name.padEnd(width)}${does.replaceAll('`', '')}`,
  );
  const title = 'admission plugins, in the order in which they act (* on by default):';
  return `${helpText()}\n${[title, ...plugins].join('\n')}\n`;
}
