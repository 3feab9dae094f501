import { optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { pemFields } from './embedded-file.ts';
import { editConfig, onlyArgument, withFields } from './open-config.ts';

export const setCluster = command({
  usage: 'config set-cluster NAME [--server=URL] [--certificate-authority=FILE] [--insecure-skip-tls-verify=true]',
  about: 'Sets fields of a cluster in the client configuration. A cluster that is there keeps its other fields.',
  examples: [
    ['Say where a cluster is', 'config set-cluster e2e --server=https://1.2.3.4'],
    [
      'Take the certificates of its authority along',
      'config set-cluster e2e --embed-certs --certificate-authority=ca.crt',
    ],
  ],
  flags: {
    server: optionalText('server', 'URL', 'address of the plane'),
    tlsServerName: optionalText('tls-server-name', 'NAME', 'name that its certificate has to be for'),
    certificateAuthority: optionalText('certificate-authority', 'FILE', 'PEM bundle of the authorities to trust'),
    embedCerts: onOff('embed-certs', false, 'put certificates into the configuration itself'),
    insecureSkipTlsVerify: onOff('insecure-skip-tls-verify', false, 'do not check who the plane is'),
    proxyUrl: optionalText('proxy-url', 'URL', 'proxy to reach the plane through'),
  },
  async run({ args, flags, isGiven, session }) {
    const name = onlyArgument(args);
    const { certificateAuthority, insecureSkipTlsVerify, embedCerts } = flags;
    if (certificateAuthority !== undefined && insecureSkipTlsVerify) {
      throw new CommandError('you cannot specify a certificate authority and insecure mode at the same time');
    }
    if (embedCerts && certificateAuthority === undefined) {
      throw new CommandError('you must specify a --certificate-authority to embed');
    }
    await editConfig(session, async (edit) => {
      const configFile = edit.fileOf('clusters', name);
      const authority = { field: 'certificate-authority', cwd: session.io.cwd, configFile, isEmbedded: embedCerts };
      edit.set(
        'clusters',
        name,
        withFields(edit.entry('clusters', name) ?? {}, {
          // A server that is named has its own name.
          ...(isGiven('server') ? { server: flags.server, 'tls-server-name': undefined } : {}),
          ...(isGiven('tlsServerName') ? { 'tls-server-name': flags.tlsServerName } : {}),
          ...(isGiven('insecureSkipTlsVerify') ? trust(insecureSkipTlsVerify) : {}),
          ...(isGiven('certificateAuthority')
            ? {
                ...(certificateAuthority === undefined ? {} : { 'insecure-skip-tls-verify': undefined }),
                ...(await pemFields({ ...authority, path: certificateAuthority ?? '' })),
              }
            : {}),
          ...(isGiven('proxyUrl') ? { 'proxy-url': flags.proxyUrl } : {}),
        }),
      );
    });
    await write(session.io.stdout, `Cluster "${name}" set.\n`);
  },
});

/** Whoever trusts everyone needs no authority. */
const trust = (everyone: boolean): object => ({
  'insecure-skip-tls-verify': everyone || undefined,
  ...(everyone ? { 'certificate-authority': undefined, 'certificate-authority-data': undefined } : {}),
});
