import type { SourceOptions } from '../../../client/config/config-sources.ts';
import { loadConnection } from '../../../client/config/load-connection.ts';
import type { Connection } from '../../../outbound/config.ts';
import type { FlagValues } from '../../../settings/flag.ts';
import { type Vocabulary, vocabularies } from '../../../vocabulary/vocabulary.ts';
import type { GLOBAL_FLAGS } from './global-flags.ts';
import type { Io } from './io.ts';

type GlobalFlags = FlagValues<typeof GLOBAL_FLAGS>;

/** The vocabulary that a line names, or both. */
export const spokenBy = ({ vocabulary }: GlobalFlags): readonly Vocabulary[] =>
  vocabulary === undefined ? Object.values(vocabularies) : [vocabularies[vocabulary]];

/** Where a line has the client configuration looked for. */
export const sourcesOf = (flags: GlobalFlags, { env, home, cwd }: Io): SourceOptions => ({
  explicitFile: flags.kubeconfig,
  environment: env,
  homeDirectory: home,
  workingDirectory: cwd,
  vocabularies: spokenBy(flags),
});

/** The plane and the user that a line names, or the client configuration does. */
export async function configuredConnection(flags: GlobalFlags, io: Io): Promise<Connection> {
  const { insecureSkipTlsVerify, requestTimeout, asGroup, ...others } = flags;
  const connection = await loadConnection({
    ...sourcesOf(flags, io),
    overrides: {
      ...others,
      asGroups: asGroup,
      insecureSkipTlsVerify: insecureSkipTlsVerify || undefined,
      requestTimeoutMs: requestTimeout || undefined,
    },
  });
  const { server, ca, insecureSkipTlsVerify: isTrusted } = connection;
  if (ca !== undefined || isTrusted || !server.startsWith('https:')) return connection;
  const { systemAuthorities } = await import('./system-authorities.ts');
  return { ...connection, ca: await systemAuthorities(io) };
}
