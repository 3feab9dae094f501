import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { layoutConfig } from '../../../../client/config/config-layout.ts';
import { type LoadedConfig, mergedDocument } from '../../../../client/config/merged-config.ts';
import { textField } from '../../../../outbound/config-fields.ts';
import type { ClientConfig, ConfigEntry, EntryList } from '../../../../outbound/config-file.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff } from '../../frame/flags.ts';
import { OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';
import { openConfig, withFields } from './open-config.ts';

export const view = command({
  usage: 'config view',
  about: 'Shows the client configuration that all files make together, without secrets unless --raw is given.',
  examples: [
    ['Show what is used', 'config view --minify'],
    ['Make one file of everything', 'config view --flatten --raw'],
  ],
  flags: {
    ...OUTPUT_FLAGS,
    raw: onOff('raw', false, 'show certificates and secrets, too'),
    flatten: onOff('flatten', false, 'put what files hold into the configuration itself, secrets included'),
    minify: onOff('minify', false, 'leave out what the current context does not use'),
    merge: onOff('merge', true, 'merge all files'),
  },
  async run({ args, flags, session }) {
    if (args.length > 0) throw new CommandError(`unexpected arguments: [${args.join(' ')}]`);
    if (!flags.merge && session.global.kubeconfig === undefined) {
      throw new CommandError('if merge==false a precise file must be specified');
    }
    const { files, merged: all } = await openConfig(session);
    let merged: ClientConfig = all;
    if (flags.minify) merged = minified({ ...all, currentContext: session.global.context ?? all.currentContext });
    if (flags.flatten) merged = await flattened(merged);
    // What is made for another machine is of no use there without its secrets.
    if (!flags.raw && !flags.flatten) merged = redacted(merged);
    await print({ files, merged });

    async function print(config: LoadedConfig): Promise<void> {
      const document = layoutConfig(mergedDocument(config));
      const object = { ...document, kind: 'Config', apiVersion: 'v1' };
      await printObject(session, object, { ...flags, output: flags.output ?? 'yaml' }, 'given');
    }
  },
});

/** The current context with what it names. */
function minified(config: ClientConfig): ClientConfig {
  const { currentContext } = config;
  if (currentContext === undefined) throw new CommandError('current-context must exist in order to minify');
  const one = (list: EntryList, what: string, name: string | undefined): Map<string, ConfigEntry> => {
    if (name === undefined) return new Map();
    const entry = config[list].get(name);
    if (!entry) throw new CommandError(`cannot locate ${what} ${name}`);
    return new Map([[name, entry]]);
  };
  const contexts = one('contexts', 'context', currentContext);
  const named = (field: string): string | undefined => {
    const context = contexts.get(currentContext);
    return context && textField(context, field);
  };
  return {
    currentContext,
    contexts,
    users: one('users', 'user', named('user')),
    clusters: one('clusters', 'cluster', named('cluster')),
  };
}

/** Changes the fields of every entry of a list. */
function mapped(
  entries: ReadonlyMap<string, ConfigEntry>,
  change: (fields: ConfigEntry['fields']) => object,
): Map<string, ConfigEntry> {
  return new Map([...entries].map(([name, entry]) => [name, { ...entry, fields: { ...change(entry.fields) } }]));
}

const OMITTED = 'DATA+OMITTED';
const REDACTED = 'REDACTED';

function redacted(config: ClientConfig): ClientConfig {
  const hide = (fields: ConfigEntry['fields'], name: string, instead: string): object =>
    fields[name] ? { [name]: instead } : {};
  return {
    ...config,
    clusters: mapped(config.clusters, (fields) => ({
      ...fields,
      ...hide(fields, 'certificate-authority-data', OMITTED),
    })),
    users: mapped(config.users, (fields) => ({
      ...fields,
      ...hide(fields, 'client-certificate-data', OMITTED),
      ...hide(fields, 'client-key-data', OMITTED),
      ...hide(fields, 'token', REDACTED),
      ...hide(fields, 'password', REDACTED),
    })),
  };
}

async function flattened(config: ClientConfig): Promise<ClientConfig> {
  return {
    ...config,
    clusters: await embedded(config.clusters, ['certificate-authority']),
    users: await embedded(config.users, ['client-certificate', 'client-key']),
  };
}

async function embedded(
  entries: ReadonlyMap<string, ConfigEntry>,
  fields: readonly string[],
): Promise<Map<string, ConfigEntry>> {
  const result = new Map<string, ConfigEntry>();
  for (const [name, entry] of entries) {
    let changed = entry.fields;
    for (const field of fields) changed = { ...changed, ...(await dataOf(entry, field)) };
    result.set(name, { ...entry, fields: withFields(changed, {}) });
  }
  return result;
}

/** Data that is there already stays, and the file is not looked at. */
async function dataOf(entry: ConfigEntry, field: string): Promise<object> {
  const path = textField(entry, field);
  if (path === undefined) return {};
  if (textField(entry, `${field}-data`) !== undefined) return { [field]: undefined };
  const file = resolve(entry.directory, path);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`open ${file}: ${error.code === 'ENOENT' ? 'no such file or directory' : error.code}`);
  });
  return { [field]: undefined, [`${field}-data`]: bytes.toString('base64') };
}
