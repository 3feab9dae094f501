import { BUILD, VERSION } from '../../../api/release.ts';
import { optionalText } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';

interface ServerVersion {
  readonly gitVersion: string;
}

export const version = command({
  usage: 'version',
  about: 'Shows the versions of this program and of the plane.',
  flags: {
    client: onOff('client', false, 'of this program alone'),
    output: short('o', optionalText('output', 'json|yaml', 'as a document')),
  },
  async run({ flags: { client, output }, session }) {
    if (output !== undefined && output !== 'json' && output !== 'yaml') {
      throw new CommandError("--output must be 'yaml' or 'json'");
    }
    const serverVersion = client ? undefined : await versionOfPlane(session);
    const clientVersion = {
      gitVersion: `v${VERSION}`,
      gitCommit: BUILD.commit,
      gitTreeState: BUILD.treeState,
      buildDate: BUILD.date,
      goVersion: `node${process.versions.node}`,
      compiler: 'v8',
      platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
    };
    const versions = { clientVersion, ...(serverVersion ? { serverVersion } : {}) };
    await write(session.io.stdout, await versionsText(versions, output));
  },
});

async function versionOfPlane(session: Session): Promise<ServerVersion> {
  const { documentIn } = await import('./get/fetch.ts');
  const send = await session.send();
  return documentIn<ServerVersion>(await send({ method: 'GET', target: '/version' }));
}

async function versionsText(
  versions: { readonly clientVersion: ServerVersion; readonly serverVersion?: ServerVersion },
  output: 'json' | 'yaml' | undefined,
): Promise<string> {
  if (output === 'yaml') return (await import('../print/yaml-text.ts')).yamlText(versions);
  // In two columns a level here, as in no other document.
  if (output === 'json') return `${JSON.stringify(versions, null, 2)}\n`;
  const { clientVersion, serverVersion } = versions;
  const lines = [`Client Version: ${clientVersion.gitVersion}`];
  if (serverVersion) lines.push(`Server Version: ${serverVersion.gitVersion}`);
  return lines.map((line) => `${line}\n`).join('');
}
