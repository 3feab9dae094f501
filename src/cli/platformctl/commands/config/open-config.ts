import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type ConfigEdit, changeConfig } from '../../../../client/config/config-edit.ts';
import { type ConfigSources, configSources, defaultFile } from '../../../../client/config/config-sources.ts';
import { type LoadedConfig, loadConfig } from '../../../../client/config/merged-config.ts';
import { sourcesOf } from '../../frame/configured-connection.ts';
import { CommandError } from '../../frame/failure.ts';
import type { Session } from '../../frame/session.ts';

const sourcesFor = ({ global, io }: Session): Promise<ConfigSources> => configSources(sourcesOf(global, io));

/** What there is of a configuration. Commands about configurations begin with an empty one where a file is missing. */
export async function openConfig(session: Session): Promise<LoadedConfig> {
  const { files } = await sourcesFor(session);
  return loadConfig({ files, isExplicit: false });
}

/** The file that messages name: the one on the line, as it stands there, or else where entries go that are new. */
export const configFile = async (session: Session): Promise<string> =>
  session.global.kubeconfig ?? defaultFile(await sourcesFor(session));

/** Changes the files of a configuration; nothing is written when the change throws. */
export async function editConfig<T>(session: Session, change: (edit: ConfigEdit) => T | Promise<T>): Promise<T> {
  const { yamlText } = await import('../../print/yaml-text.ts');
  return changeConfig(await sourcesFor(session), session.runtime, yamlText, change);
}

/** The one argument that a command takes. */
export function onlyArgument(args: readonly string[]): string {
  const [name, ...more] = args;
  if (name === undefined || more.length > 0) throw new CommandError(`Unexpected args: [${args.join(' ')}]`);
  return name;
}

/** A path on a line, as a file in `directory` names it: relative where it is below. */
export function pathFrom(directory: string, path: string, cwd: string): string {
  const absolute = resolve(cwd, path);
  const below = relative(directory, absolute);
  return below.startsWith(`..${sep}`) || below === '..' || isAbsolute(below) ? absolute : below;
}

/** Fields with changes; what is undefined goes. */
export const withFields = (fields: object, changes: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined));
