import { chmod, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { posix, resolve } from 'node:path';
import { duration, integer, list, text } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import { PlaneProxy } from '../proxying/plane-proxy.ts';
import { RequestFilter } from '../proxying/request-filter.ts';

const HOSTS = ['^localhost$', '^127\\.0\\.0\\.1$', '^\\[::1\\]$'];
const REJECTED = ['^/api/.*/pods/.*/exec', '^/api/.*/pods/.*/attach'];
const OWNER_ONLY = 0o600;

export const proxy = command({
  usage: 'proxy [--port=PORT] [--www=static-dir] [--www-prefix=prefix] [--api-prefix=prefix]',
  about:
    'Passes requests of this machine on to the plane, as the user of the client configuration. Whoever can reach the port can do what that user may.',
  examples: [
    ['All of the interface, at the usual port', 'proxy'],
    ['Any free port, with files of a folder', 'proxy --port=0 --www=./local/www/'],
    ['The interface below a path of its own', 'proxy --api-prefix=/custom/'],
  ],
  flags: {
    port: short('p', integer('port', 0, 65_535, 8001, 'port to listen at; any that is free when 0')),
    address: text('address', 'ADDRESS', '127.0.0.1', 'address of this machine to listen at'),
    unixSocket: short('u', text('unix-socket', 'PATH', '', 'socket to listen at instead, for its owner alone')),
    www: short('w', text('www', 'DIRECTORY', '', 'folder whose files are served, too')),
    wwwPrefix: short('P', text('www-prefix', 'PATH', '/static/', 'where files are served')),
    apiPrefix: text('api-prefix', 'PATH', '/', 'where the interface is served'),
    acceptHosts: list('accept-hosts', 'PATTERNS', HOSTS, 'hosts that requests may be for'),
    acceptPaths: list('accept-paths', 'PATTERNS', ['^.*'], 'paths that requests may be for'),
    rejectPaths: list('reject-paths', 'PATTERNS', REJECTED, 'paths that requests may not be for'),
    rejectMethods: list('reject-methods', 'PATTERNS', ['^$'], 'methods that requests may not have'),
    disableFilter: onOff('disable-filter', false, 'pass everything on, for whatever page of a browser it is'),
    keepalive: duration('keepalive', 0, 'how long an idle connection is kept; as long as usual when 0'),
  },
  async run({ flags, args, session, isGiven }) {
    if (args.length > 0) throw new CommandError(`unexpected arguments: ${args.join(', ')}`);
    const { io } = session;
    if (isGiven('port') && flags.unixSocket !== '') {
      throw new CommandError('cannot set --unix-socket and --port at the same time');
    }
    if (flags.disableFilter && flags.unixSocket === '') {
      await write(io.stderr, 'Request filter disabled, your proxy is vulnerable to XSRF attacks, please be cautious\n');
    }
    const [transport, identity] = [await session.transport(), await session.identity()];
    const { server } = new PlaneProxy({
      open: transport.openAs(identity),
      dial: transport.dialAs(identity),
      filter: flags.disableFilter ? undefined : new RequestFilter(flags),
      apiPrefix: asFolder(flags.apiPrefix),
      files: flags.www === '' ? undefined : { folder: resolve(io.cwd, flags.www), prefix: asFolder(flags.wwwPrefix) },
    });
    if (flags.keepalive > 0) server.keepAliveTimeout = flags.keepalive;
    const socketPath = flags.unixSocket === '' ? '' : resolve(io.cwd, flags.unixSocket);
    if (socketPath !== '') await rm(socketPath, { force: true });
    await new Promise<void>((resolved, reject) => {
      server.once('error', reject);
      if (socketPath === '') server.listen(flags.port, flags.address, resolved);
      else server.listen(socketPath, resolved);
    });
    if (socketPath !== '') await chmod(socketPath, OWNER_ONLY);
    const shown = socketPath === '' ? placeOf(server.address() as AddressInfo) : socketPath;
    await write(io.stdout, `Starting to serve on ${shown}\n`);
    await new Promise<void>((resolved) => {
      if (io.interrupted.aborted) resolved();
      io.interrupted.addEventListener('abort', () => resolved(), { once: true });
    });
    server.closeAllConnections();
    await new Promise((resolved) => server.close(resolved));
  },
});

const placeOf = ({ address, port, family }: AddressInfo): string =>
  `${family === 'IPv6' ? `[${address}]` : address}:${port}`;

const asFolder = (path: string): string => posix.normalize(`/${path}/`);
