import { PLUGINS } from '../admission/plugins.ts';
import { LOOPS, SERVER_LOOPS } from '../controllers/loop-table.ts';
import { helpText } from '../settings/command-line.ts';

/** Every flag, and every admission plugin and control loop that flags can name. */
export function help(): string {
  const width = Math.max(...PLUGINS.map(({ name }) => name.length)) + 2;
  const plugins = PLUGINS.map(
    ({ name, byDefault, does }) => `  ${byDefault ? '*' : ' '} ${name.padEnd(width)}${does.replaceAll('`', '')}`,
  );
  const title = 'admission plugins, in the order in which they act (* on by default):';
  return `${helpText()}\n${[title, ...plugins].join('\n')}\n\n${loops().join('\n')}\n`;
}

function loops(): string[] {
  const ofTokens = LOOPS.filter(({ byDefault }) => byDefault !== 'always').map(({ name }) => name);
  const others = LOOPS.map(({ name }) => name).filter((name) => !ofTokens.includes(name));
  return [
    'control loops, all on by default:',
    ...[...others, ...SERVER_LOOPS].map((name) => `    ${name}`),
    'and with --enable-bootstrap-token-auth:',
    ...ofTokens.map((name) => `    ${name}`),
  ];
}
