import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { GET_FLAGS } from './get-flags.ts';

export const get = command({
  usage: 'get TYPE[.VERSION][.GROUP] [NAME...] | TYPE/NAME...',
  about: 'Shows objects: as a table, or as -o says.',
  examples: [
    ['Pods of the namespace at hand', 'get pods'],
    ['Deployments and services of all namespaces', 'get deployments,services -A'],
    ['One object as YAML', 'get deployment/web -o yaml'],
    ['The images of all pods', 'get pods -o jsonpath=\'{range .items[*]}{.spec.containers[*].image}{"\\n"}{end}\''],
    ['What changes, as a table that is kept up to date', 'get pods -w --live'],
  ],
  flags: GET_FLAGS,
  async run(invocation) {
    const { args, flags, session } = invocation;
    if (flags.kustomize !== undefined) {
      const { NO_OVERLAYS } = await import('../frame/absent-commands.ts');
      throw new CommandError(NO_OVERLAYS);
    }
    if (flags.raw !== undefined) {
      if (args.length > 0) throw new CommandError('arguments may not be passed when --raw is specified');
      const { getRaw } = await import('./get/raw.ts');
      return getRaw(session, flags.raw);
    }
    const isWatch = flags.watch || flags.watchOnly;
    if (flags.outputWatchEvents && !isWatch) {
      throw new CommandError('--output-watch-events option can only be used with --watch or --watch-only');
    }
    if (isWatch) {
      const { watchObjects } = await import('./get/watch-objects.ts');
      return watchObjects(session, args, flags);
    }
    const { getObjects } = await import('./get/get-objects.ts');
    return getObjects(session, args, flags);
  },
});
