import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './audit.ts';
import { type RequestParts, requestPem } from './certificates.ts';
import type { Answer, Headers } from './client.ts';
import { logOf } from './log-of.ts';
import type { TestServer } from './test-server.ts';

export interface StoredRequest {
  readonly spec: { readonly signerName: string };
  readonly status: {
    /** Base64 of PEM. */
    readonly certificate?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly reason: string;
      readonly message: string;
    }[];
  };
}

export interface Wanted {
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly expirationSeconds?: number;
  /** PEM, or what it is made of. */
  readonly request: string | RequestParts;
}

/** Certificate requests of a server, as its administrator handles them unless headers say otherwise. */
export class CertificateRequests {
  readonly #plane: TestServer;
  readonly #path: string;

  constructor(plane: TestServer, group = 'certificates.platform.io') {
    this.#plane = plane;
    this.#path = `/apis/${group}/v1/certificatesigningrequests`;
  }

  create(name: string, { request, ...wanted }: Wanted, headers: Headers = {}): Promise<Answer> {
    const pem = typeof request === 'string' ? request : requestPem(request);
    const spec = { ...wanted, request: Buffer.from(pem).toString('base64') };
    return this.#plane.admin.request('POST', this.#path, { metadata: { name }, spec }, headers);
  }

  decide(name: string, type: 'Approved' | 'Denied' = 'Approved'): Promise<Answer> {
    const status = { conditions: [{ type, status: 'True', reason: 'Test', message: 'm' }] };
    return this.#plane.admin.request('PATCH', `${this.#path}/${name}/approval`, { status });
  }

  async read(name: string): Promise<StoredRequest | undefined> {
    const { status, body } = await this.#plane.admin.request('GET', `${this.#path}/${name}`);
    return status === 200 ? (body as unknown as StoredRequest) : undefined;
  }

  async exists(name: string): Promise<boolean> {
    return (await this.read(name)) !== undefined;
  }

  gone(name: string): Promise<true> {
    return eventually(async () => ((await this.exists(name)) ? undefined : true));
  }

  /** Waits until it is so. */
  become(name: string, isSo: (request: StoredRequest) => boolean): Promise<StoredRequest> {
    return eventually(async () => {
      const found = await this.read(name);
      return found && isSo(found) ? found : undefined;
    });
  }

  /** Waits until the signer has issued a certificate, or refused to. */
  answered(name: string): Promise<StoredRequest> {
    return this.become(name, ({ status }) => Boolean(status.certificate) || failureOf(status) !== undefined);
  }

  /** Creates and approves one, and waits for its certificate: PEM. */
  async issue(name: string, wanted: Wanted): Promise<string> {
    await this.create(name, wanted);
    await this.decide(name);
    const { status } = await this.answered(name);
    if (!status.certificate) throw new Error(`${name} failed: ${failureOf(status)?.message}`);
    return pemOf(status);
  }

  /** Changes what is stored as no request could. */
  async rewrite(name: string, from: string, to: string): Promise<void> {
    const log = logOf(this.#plane.server);
    const key = `/certificatesigningrequests.certificates.platform.io/${name}`;
    const stored = log.get(key) ?? log.get(`/certificatesigningrequests/${name}`);
    if (!stored) throw new Error(`there is no ${key}`);
    const text = stored.bytes.toString();
    if (!text.includes(from)) throw new Error(`${key} does not hold ${from}`);
    const [head = '', rest = ''] = text.replace(from, to).split('"resourceVersion":"');
    const value = { head: `${head}"resourceVersion":"`, tail: rest.slice(rest.indexOf('"')) };
    await log.commit({ key: stored.key, expected: stored.revision, value });
  }
}

export const failureOf = ({ conditions }: StoredRequest['status']) => conditions?.find(({ type }) => type === 'Failed');

export const pemOf = ({ certificate = '' }: StoredRequest['status']): string =>
  Buffer.from(certificate, 'base64').toString();

/** Has openssl verify a certificate, and gives all that it can read in it. Throws what it says against it. */
export function opensslText(directory: string, authority: string, certificate: string, ...options: string[]): string {
  const [authorityFile, file] = [join(directory, 'authority.pem'), join(directory, 'certificate.pem')];
  writeFileSync(authorityFile, authority);
  writeFileSync(file, certificate);
  const run = (...args: string[]): string =>
    execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run('verify', '-CAfile', authorityFile, ...options, file);
  return run('x509', '-in', file, '-noout', '-text', '-nameopt', 'RFC2253,utf8,-esc_msb');
}
