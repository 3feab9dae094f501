import { list, optionalChoice, optionalText } from '../../../../settings/flag.ts';
import type { Invocation } from '../../frame/command.ts';
import { type FlagTable, onOff } from '../../frame/flags.ts';

/** What a line may say about a user. */
export const CREDENTIAL_FLAGS = {
  clientCertificate: optionalText('client-certificate', 'FILE', 'PEM certificate to show'),
  clientKey: optionalText('client-key', 'FILE', 'PEM key of that certificate'),
  embedCerts: onOff('embed-certs', false, 'put certificate and key into the configuration itself'),
  token: optionalText('token', 'TOKEN', 'bearer token to show'),
  username: optionalText('username', 'NAME', 'user name for basic authentication'),
  password: optionalText('password', 'TEXT', 'password for basic authentication'),
  execCommand: optionalText('exec-command', 'PROGRAM', 'credential plugin to run'),
  execApiVersion: optionalText(
    'exec-api-version',
    'VERSION',
    'version of the objects that the plugin reads and prints',
  ),
  execArg: list('exec-arg', 'TEXTS', [], 'arguments of the plugin'),
  execEnv: list('exec-env', 'NAME=VALUE', [], 'variables of the plugin; NAME- takes one away'),
  execInteractiveMode: optionalChoice(
    'exec-interactive-mode',
    ['Never', 'IfAvailable', 'Always'],
    'whether the plugin asks its user',
  ),
  execProvideClusterInfo: onOff('exec-provide-cluster-info', false, 'tell the plugin about the cluster'),
  execInstallHint: optionalText('exec-install-hint', 'TEXT', 'what to tell whoever does not have the plugin'),
} as const satisfies FlagTable;

/** A line that says it. */
export type CredentialLine = Invocation<typeof CREDENTIAL_FLAGS>;
