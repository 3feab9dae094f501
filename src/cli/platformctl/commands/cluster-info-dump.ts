import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { list, optionalText } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { onOff, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import type { Printable } from '../print/printable.ts';
import { fetchPages } from './get/fetch.ts';
import { itemsOf } from './get/show-objects.ts';

const KINDS = ['events', 'replicationcontrollers', 'services', 'daemonsets', 'deployments', 'replicasets', 'pods'];
const CHUNK_SIZE = 500;

export const clusterInfoDump = command({
  usage: 'cluster-info dump',
  about: 'Prints what helps to find out what is wrong with a plane: nodes, and what is in its namespaces.',
  flags: {
    ...OUTPUT_FLAGS,
    allNamespaces: short('A', onOff('all-namespaces', false, 'all namespaces')),
    namespaces: list('namespaces', 'NAMES', [], 'namespaces to look into besides the one at hand'),
    outputDirectory: optionalText('output-directory', 'DIRECTORY', 'write files there, one a kind'),
  },
  async run({ flags, session }) {
    const { objectPrinter } = await import('../print/print-objects.ts');
    const format = flags.output ?? 'json';
    const printer = await objectPrinter(session, { ...flags, output: format });
    const put = async (place: string, objects: readonly Printable[]): Promise<void> => {
      const text = printer.textOf({ apiVersion: 'v1', kind: 'List', items: objects } as Printable, 0);
      const { outputDirectory: directory } = flags;
      if (directory === undefined || directory === '-') return write(session.io.stdout, text);
      const file = join(resolve(session.io.cwd, directory), `${place}.${format === 'yaml' ? 'yaml' : 'json'}`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    };
    await put('nodes', await objectsOf(session, 'nodes', ''));
    for (const namespace of await namespacesOf(session, flags)) {
      for (const kind of KINDS) await put(join(namespace, kind), await objectsOf(session, kind, namespace));
    }
  },
});

async function namespacesOf(
  session: Session,
  flags: { readonly allNamespaces: boolean; readonly namespaces: readonly string[] },
): Promise<string[]> {
  if (flags.allNamespaces) {
    const all = (await objectsOf(session, 'namespaces', '')) as readonly { metadata?: { name?: string } }[];
    return all.map(({ metadata }) => metadata?.name ?? '');
  }
  const { system } = (await session.vocabulary()).namespaces;
  return [...new Set([system, (await session.namespace()).name, ...flags.namespaces])];
}

async function objectsOf(session: Session, kind: string, namespace: string): Promise<readonly Printable[]> {
  const resource = (await session.resources()).named(kind);
  const objects: Printable[] = [];
  const selection = { resource, name: '', namespace };
  for await (const page of fetchPages(await session.send(), selection, { chunkSize: CHUNK_SIZE })) {
    objects.push(...itemsOf(page));
  }
  return objects;
}
