import type { Connection } from '../../outbound/config.ts';
import { ConfiguredIdentity, type Identity } from '../identity.ts';
import type { PluginSurroundings } from './plugin-identity.ts';

/** Whom a connection is made as: what the configuration holds, or what a credential plugin gives. */
export async function identityOf(connection: Connection, surroundings: PluginSurroundings): Promise<Identity> {
  if (connection.plugin === undefined) return new ConfiguredIdentity(connection, surroundings.runtime);
  // Loaded when it is needed: most configurations have none, and command lines have to start at once.
  const { PluginIdentity } = await import('./plugin-identity.ts');
  return new PluginIdentity(connection, connection.plugin, surroundings);
}
