import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Connection } from '../../outbound/config.ts';
import { isObject } from '../../schema/json-object.ts';
import type { ClientCertificate } from '../identity.ts';
import { PluginFailure } from './plugin-failure.ts';

/** What a plugin gives: a token, or a certificate with its key, or both. */
export interface PluginCredential {
  readonly token: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  /** Milliseconds since the epoch; undefined for one that holds until it is refused. */
  readonly expiresAt: number | undefined;
}

const KIND = 'ExecCredential';
/** Far more than a credential has. */
const YAML_LIMITS = { deepest: 32, values: 1000 };

/** The object that a plugin is given, as JSON. `extension`: the name of the cluster's extension that is meant for plugins. */
export function pluginInput(
  apiVersion: string,
  isInteractive: boolean,
  cluster: { readonly connection: Connection; readonly extension: string } | undefined,
): string {
  const spec = { ...(cluster === undefined ? {} : { cluster: clusterInfo(cluster) }), interactive: isInteractive };
  return JSON.stringify({ kind: KIND, apiVersion, spec });
}

function clusterInfo({ connection, extension }: { connection: Connection; extension: string }): object {
  const { server, tlsServerName, insecureSkipTlsVerify, ca, proxyUrl, extensions } = connection;
  return {
    server,
    'tls-server-name': tlsServerName,
    'insecure-skip-tls-verify': insecureSkipTlsVerify || undefined,
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    'proxy-url': proxyUrl,
    config: extensions?.get(extension),
  };
}

/** Reads what a plugin printed. `apiVersion`: of the object that it was given; the answer has the same. */
export async function readPluginOutput(output: string, apiVersion: string, now: number): Promise<PluginCredential> {
  const document = await parseOutput(output);
  if (document.kind !== KIND) throw new PluginFailure('Unreadable', `printed an object that is no ${KIND}`);
  if (document.apiVersion !== apiVersion) {
    throw new PluginFailure(
      'Unreadable',
      `printed ${versionText(document.apiVersion)}, but ${apiVersion} is configured`,
    );
  }
  if (!isObject(document.status)) throw new PluginFailure('Unusable', `printed an ${KIND} without a status`);
  const token = textOf(document.status, 'token');
  const certificate = readCertificate(document.status);
  if (token === undefined && certificate === undefined) {
    throw new PluginFailure('Unusable', 'gave neither a token nor a certificate');
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new PluginFailure('Unusable', 'gave a token with characters that cannot be sent');
  }
  const expiresAt = readExpiration(document.status);
  if (expiresAt !== undefined && expiresAt <= now) {
    throw new PluginFailure('Expired', `gave a credential that expired at ${new Date(expiresAt).toISOString()}`);
  }
  return { token, certificate, expiresAt };
}

/** JSON, or YAML, which scripts find easier to print. Messages of parsers quote the text and are not passed on. */
async function parseOutput(output: string): Promise<Record<string, unknown>> {
  if (output.trim() === '') throw new PluginFailure('Unreadable', 'printed nothing');
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    const { readYaml } = await import('../../codec/yaml-text.ts');
    value = await readYaml(output, YAML_LIMITS).then(
      (read) => read.value,
      () => undefined,
    );
  }
  if (!isObject(value))
    throw new PluginFailure('Unreadable', 'printed something that is neither JSON nor YAML of an object');
  return value;
}

/** Only what looks like a version is shown: anything else may be a secret in the wrong place. */
function versionText(apiVersion: unknown): string {
  if (apiVersion === undefined) return 'an object without apiVersion';
  const isVersion =
    typeof apiVersion === 'string' && /^[a-z0-9.-]{1,100}\/v[0-9]{1,3}([a-z]{1,8}[0-9]{1,3})?$/.test(apiVersion);
  return isVersion ? `an object of ${apiVersion}` : 'an object of another apiVersion';
}

function textOf(status: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = status[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new PluginFailure('Unusable', `printed a status.${field} that is no text`);
  return value;
}

function readCertificate(status: Readonly<Record<string, unknown>>): ClientCertificate | undefined {
  const certificate = textOf(status, 'clientCertificateData');
  const key = textOf(status, 'clientKeyData');
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined) throw new PluginFailure('Unusable', 'gave a key without its certificate');
  if (key === undefined) throw new PluginFailure('Unusable', 'gave a certificate without its key');
  if (!belongTogether(certificate, key)) {
    throw new PluginFailure('Unusable', 'gave a certificate and a key that do not belong together');
  }
  return { certificate, key };
}

function belongTogether(certificate: string, key: string): boolean {
  const shown = parsed(() => new X509Certificate(certificate), 'gave a certificate that is no PEM certificate');
  const kept = parsed(() => createPrivateKey(key), 'gave a key that is no PEM private key');
  return shown.checkPrivateKey(kept);
}

function parsed<T>(parse: () => T, failure: string): T {
  try {
    return parse();
  } catch {
    throw new PluginFailure('Unusable', failure);
  }
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

function readExpiration(status: Readonly<Record<string, unknown>>): number | undefined {
  const text = textOf(status, 'expirationTimestamp');
  if (text === undefined) return undefined;
  const time = RFC3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  if (Number.isNaN(time)) throw new PluginFailure('Unusable', 'gave an expirationTimestamp that is no RFC 3339 time');
  return time;
}
