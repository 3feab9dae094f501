import { duration, optionalChoice, optionalText, repeated } from '../../../settings/flag.ts';
import { vocabularyNames } from '../../../vocabulary/vocabulary.ts';
import { type FlagTable, onOff, short } from './flags.ts';

/** Flags of every command: which plane, and who asks. */
export const GLOBAL_FLAGS = {
  kubeconfig: optionalText('kubeconfig', 'FILE', 'client configuration to use, and no other'),
  context: optionalText('context', 'NAME', 'context of the client configuration to use'),
  cluster: optionalText('cluster', 'NAME', 'cluster of the client configuration to use'),
  user: optionalText('user', 'NAME', 'user of the client configuration to use'),
  namespace: short('n', optionalText('namespace', 'NAMESPACE', 'namespace to work in')),
  server: short('s', optionalText('server', 'URL', 'address of the plane')),
  token: optionalText('token', 'TOKEN', 'bearer token to show'),
  as: optionalText('as', 'USER', 'whom to act as'),
  asGroup: repeated('as-group', 'GROUP', 'group to act as a member of'),
  asUid: optionalText('as-uid', 'UID', 'uid to act with'),
  certificateAuthority: optionalText('certificate-authority', 'FILE', 'PEM bundle of the authorities to trust'),
  clientCertificate: optionalText('client-certificate', 'FILE', 'PEM certificate to show'),
  clientKey: optionalText('client-key', 'FILE', 'PEM key of that certificate'),
  insecureSkipTlsVerify: onOff('insecure-skip-tls-verify', false, 'do not check who the plane is'),
  tlsServerName: optionalText('tls-server-name', 'NAME', 'name that the certificate of the plane has to be for'),
  username: optionalText('username', 'NAME', 'user name for basic authentication'),
  password: optionalText('password', 'TEXT', 'password for basic authentication'),
  requestTimeout: duration('request-timeout', 0, 'how long to wait for an answer; 0 for as long as it takes'),
  cacheDir: optionalText('cache-dir', 'DIRECTORY', 'where to remember what a plane serves'),
  vocabulary: optionalChoice(
    'vocabulary',
    vocabularyNames,
    'names that the plane speaks; by default found out from what it serves',
  ),
} as const satisfies FlagTable;
