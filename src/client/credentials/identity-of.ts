import type { Connection } from '../../outbound/config.ts';
import { ConfiguredIdentity, type Identity } from '../identity.ts';
import { PluginIdentity, type PluginSurroundings } from './plugin-identity.ts';

/** Whom a connection is made as: what the configuration holds, or what a credential plugin gives. */
export const identityOf = (connection: Connection, surroundings: PluginSurroundings): Identity =>
  connection.plugin === undefined
    ? new ConfiguredIdentity(connection, surroundings.runtime)
    : new PluginIdentity(connection, connection.plugin, surroundings);
