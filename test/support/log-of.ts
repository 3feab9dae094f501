import { vi } from 'vitest';
import type { Server } from '../../src/server/server.ts';
import { VersionLog } from '../../src/storage/log/version-log.ts';

/** The log of a running server, which nobody but tests can reach: for what no client can do. */
export function logOf({ objects }: Pick<Server, 'objects'>): VersionLog {
  let found: VersionLog | undefined;
  const spy = vi.spyOn(VersionLog.prototype, 'get').mockImplementation(function (this: VersionLog) {
    found = this;
    return undefined;
  });
  objects.has({ group: '', plural: 'namespaces' }, '', 'default');
  spy.mockRestore();
  if (!found) throw new Error('the server has no log');
  return found;
}
