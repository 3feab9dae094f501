import { isObject } from '../../../../schema/json-object.ts';
import { CommandError } from '../../frame/failure.ts';
import type { CredentialLine } from './credential-flags.ts';
import { withFields } from './open-config.ts';

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** The plugin of a user, as a line changes it. Without a command there is none to change, and other flags do nothing. */
export function changedPlugin(former: unknown, { flags, isGiven }: CredentialLine): unknown {
  if (!isObject(former) && flags.execCommand === undefined) return former ?? undefined;
  const exec = isObject(former) ? former : {};
  return withFields(exec, {
    ...(isGiven('execCommand') ? { command: flags.execCommand } : {}),
    ...(isGiven('execApiVersion') ? { apiVersion: flags.execApiVersion } : {}),
    ...(isGiven('execArg') ? { args: flags.execArg } : {}),
    ...(isGiven('execEnv') ? { env: changedVariables(exec.env, flags.execEnv) } : {}),
    ...(isGiven('execInteractiveMode') ? { interactiveMode: flags.execInteractiveMode } : {}),
    ...(isGiven('execProvideClusterInfo') ? { provideClusterInfo: flags.execProvideClusterInfo } : {}),
    ...(isGiven('execInstallHint') ? { installHint: flags.execInstallHint } : {}),
  });
}

function changedVariables(former: unknown, words: readonly string[]): Variable[] {
  const variables = new Map<string, unknown>();
  for (const each of Array.isArray(former) ? former : []) if (isObject(each)) variables.set(String(each.name), each);
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals > 0)
      variables.set(word.slice(0, equals), { name: word.slice(0, equals), value: word.slice(equals + 1) });
    else if (word.endsWith('-') && word.length > 1) variables.delete(word.slice(0, -1));
    else throw new CommandError(`Error: unrecognized key "${word}": expected NAME=VALUE or NAME-`);
  }
  return [...variables.values()] as Variable[];
}
