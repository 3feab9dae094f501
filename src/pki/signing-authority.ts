import { readFileSync } from 'node:fs';
import type { Runtime } from '../runtime/runtime.ts';
import { type Issuer, issuerFrom } from './certificate.ts';
import { followFiles } from './followed-files.ts';
import { readCertificates, readPrivateKey } from './keys.ts';
import { signatureAlgorithm } from './signature.ts';

/** Paths of the certificate and the key of an authority. */
export interface AuthorityFiles {
  readonly certificate: string;
  readonly key: string;
}

/** PEM of the certificate and the key of an authority, and what to call them in errors. */
interface AuthorityPem {
  readonly certificate: string;
  readonly key: string;
  readonly sources: AuthorityFiles;
}

/** The issuer that both make together. Throws one line that starts with the source at fault. */
function issuerIn({ certificate: pem, key: keyPem, sources }: AuthorityPem): Issuer {
  const [certificate, ...others] = readCertificates(pem, sources.certificate);
  const key = readPrivateKey(keyPem, sources.key);
  const fault = (why: string): Error => new Error(`${sources.certificate}: ${why}`);
  if (!certificate || others.length > 0) throw fault(`holds ${others.length + 1} certificates, one is expected`);
  if (!certificate.ca) throw fault('is not the certificate of an authority');
  if (!certificate.checkPrivateKey(key)) throw fault(`does not belong to the key in ${sources.key}`);
  signatureAlgorithm(key);
  return issuerFrom(certificate, key);
}

/** An authority that signs, for as long as its files do not hold another. */
export class SigningAuthority {
  readonly #files: AuthorityFiles | undefined;
  #issuer: Issuer;

  private constructor(issuer: Issuer, files?: AuthorityFiles) {
    this.#issuer = issuer;
    this.#files = files;
  }

  /** Throws one line that starts with the file at fault. */
  static inFiles(files: AuthorityFiles): SigningAuthority {
    return new SigningAuthority(issuerInFiles(files), files);
  }

  /** One that stays. */
  static of(pem: { readonly certificate: string; readonly key: string }): SigningAuthority {
    return new SigningAuthority(issuerIn({ ...pem, sources: { certificate: 'ca.crt', key: 'ca.key' } }));
  }

  get issuer(): Issuer {
    return this.#issuer;
  }

  /** Takes up what the files hold from now on. What cannot be used is told of, and the former stays. */
  follow(runtime: Runtime, onProblem: (error: unknown) => void): { close(): void } {
    const files = this.#files;
    if (!files) return { close() {} };
    return followFiles([files.certificate, files.key], runtime, () => {
      try {
        this.#issuer = issuerInFiles(files);
      } catch (error) {
        onProblem(error);
      }
    });
  }
}

const issuerInFiles = (sources: AuthorityFiles): Issuer =>
  issuerIn({ certificate: readText(sources.certificate), key: readText(sources.key), sources });

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
}
