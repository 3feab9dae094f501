import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import { CREDENTIAL_FLAGS, type CredentialLine } from './credential-flags.ts';
import { pemFields } from './embedded-file.ts';
import { editConfig, onlyArgument, withFields } from './open-config.ts';
import { changedPlugin } from './plugin-fields.ts';

export const setCredentials = command({
  usage:
    'config set-credentials NAME [--client-certificate=FILE --client-key=FILE] [--token=TOKEN] [--exec-command=PROGRAM]',
  about: 'Sets fields of a user in the client configuration. A user that is there keeps its other fields.',
  examples: [
    ['Show a token', 'config set-credentials jane --token=…'],
    [
      'Ask a credential plugin',
      'config set-credentials jane --exec-command=login --exec-api-version=client.authentication.platform.io/v1 --exec-interactive-mode=IfAvailable',
    ],
  ],
  flags: CREDENTIAL_FLAGS,
  async run(invocation) {
    const { args, flags, session } = invocation;
    const name = onlyArgument(args);
    refuse(flags);
    await editConfig(session, async (edit) => {
      const user = edit.entry('users', name) ?? {};
      const certificates = await certificateFields(invocation, edit.fileOf('users', name));
      edit.set(
        'users',
        name,
        withFields(user, { ...certificates, ...secretFields(invocation), exec: changedPlugin(user.exec, invocation) }),
      );
    });
    await write(session.io.stdout, `User "${name}" set.\n`);
  },
});

function refuse({
  token,
  username,
  password,
  embedCerts,
  clientCertificate,
  clientKey,
}: CredentialLine['flags']): void {
  if (token !== undefined && (username !== undefined || password !== undefined)) {
    throw new CommandError(
      'you cannot specify more than one authentication method at the same time: --token, --username/--password',
    );
  }
  if (embedCerts && clientCertificate === undefined && clientKey === undefined) {
    throw new CommandError('you must specify a --client-certificate or --client-key to embed');
  }
}

async function certificateFields({ flags, isGiven, session }: CredentialLine, configFile: string): Promise<object> {
  const common = { cwd: session.io.cwd, configFile, isEmbedded: flags.embedCerts };
  const certificate = { ...common, field: 'client-certificate', path: flags.clientCertificate ?? '' };
  const key = { ...common, field: 'client-key', path: flags.clientKey ?? '' };
  return {
    ...(isGiven('clientCertificate') ? await pemFields(certificate) : {}),
    ...(isGiven('clientKey') ? await pemFields(key) : {}),
  };
}

/** A token takes the place of a password, and the other way round. */
function secretFields({ flags, isGiven }: CredentialLine): object {
  const { token, username, password } = flags;
  const given = {
    ...(isGiven('token') ? { token } : {}),
    ...(isGiven('username') ? { username } : {}),
    ...(isGiven('password') ? { password } : {}),
  };
  if (token !== undefined) return { ...given, username: undefined, password: undefined };
  return username !== undefined || password !== undefined ? { ...given, token: undefined } : given;
}
