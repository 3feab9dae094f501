import { readFileSync } from 'node:fs';
import type { ProxyCertificate } from '../extension/aggregation/backend-access.ts';
import type { Logger } from '../observe/logging/logger.ts';
import { followFiles } from '../pki/followed-files.ts';
import { readCertificates, readPrivateKey } from '../pki/keys.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';

export interface CurrentProxyCertificateOptions {
  readonly settings: Settings;
  /** As read at the start. */
  readonly proxyCertificate: ProxyCertificate;
  readonly runtime: Runtime;
  readonly logger: Logger;
}

/** What is shown to other servers: what the files hold, and when they change to something of no use, what they held. */
export class CurrentProxyCertificate {
  current: ProxyCertificate;
  readonly #followed: { close(): void } | undefined;

  constructor({ settings, proxyCertificate, runtime, logger }: CurrentProxyCertificateOptions) {
    this.current = proxyCertificate;
    const files = [settings.proxyClientCertFile, settings.proxyClientKeyFile].filter((file) => file !== undefined);
    if (files.length === 0) return;
    this.#followed = followFiles(files, runtime, () => {
      try {
        this.current = readProxyCertificate(settings);
      } catch (error) {
        logger.error({ err: error }, 'the changed certificate for other servers cannot be used; the former one stays');
      }
    });
  }

  close(): void {
    this.#followed?.close();
  }
}

/** Throws one line for the operator when the files do not fit. */
export function readProxyCertificate({ proxyClientCertFile, proxyClientKeyFile }: Settings): ProxyCertificate {
  if (proxyClientCertFile === undefined && proxyClientKeyFile === undefined) return {};
  if (proxyClientCertFile === undefined || proxyClientKeyFile === undefined) {
    throw new Error('--proxy-client-cert-file and --proxy-client-key-file must be given together');
  }
  const clientCertificate = textIn(proxyClientCertFile);
  const clientKey = textIn(proxyClientKeyFile);
  readCertificates(clientCertificate, proxyClientCertFile);
  readPrivateKey(clientKey, proxyClientKeyFile);
  return { clientCertificate, clientKey };
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}`, { cause: error });
  }
}
