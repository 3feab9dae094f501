import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Connection, loadClientConfig } from '../../../outbound/config.ts';
import type { FlagValues } from '../../../settings/flag.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { CommandError } from './failure.ts';
import type { GLOBAL_FLAGS } from './global-flags.ts';
import type { Io } from './io.ts';

/** The plane and the user that a line names, or the client configuration does. */
export async function configuredConnection(
  flags: FlagValues<typeof GLOBAL_FLAGS>,
  { env, home }: Io,
): Promise<Connection> {
  const spoken = flags.vocabulary === undefined ? Object.values(vocabularies) : [vocabularies[flags.vocabulary]];
  const places = spoken.map(({ clientConfiguration }) => clientConfiguration);
  const inVariables = places.map(({ variable }) => env[variable] ?? '').find((value) => value !== '') ?? '';
  const named = flags.kubeconfig ?? inVariables.split(delimiter)[0];
  const candidates = named ? [named] : places.map(({ folder }) => join(home, folder, 'config'));
  for (const file of candidates) {
    if (named || (await isThere(file))) return loadClientConfig(file, flags.context);
  }
  throw new CommandError(
    `no client configuration: name one with --kubeconfig or PLATFORMCONFIG, or write ${candidates[0]}`,
  );
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
