import { userNamed } from '../../src/api/user.ts';
import { startServer } from '../../src/server/server.ts';

/** How many writes are under way at the same time. */
const AT_ONCE = 500;
const USER = userNamed('filler', ['system:masters']);

/** A data directory with so many config maps of 2 KB, in the namespace `default`. */
export async function fill(dataDir: string, objects: number): Promise<void> {
  const server = await startServer({ dataDir, port: 0 });
  const type = server.catalogue.preferred('', 'configmaps');
  if (!type) throw new Error('there are no config maps');
  const data = { filling: 'x'.repeat(1_600) };
  for (let from = 0; from < objects; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, objects - from) }, (_, at) => {
      const name = `filled-${String(from + at).padStart(7, '0')}`;
      return server.registry.create(type, 'default', { metadata: { name }, data }, { user: USER });
    });
    await Promise.all(some);
  }
  await server.close();
}
