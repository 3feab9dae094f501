import { createSecureContext, type SecureContext } from 'node:tls';

/** A certificate for clients that ask for one of some names. PEM. */
export interface NamedCertificate {
  readonly key: string;
  readonly cert: string;
  /** Exact names, and `*.` before a domain for every name directly below it. */
  readonly names: readonly string[];
}

/** Which certificate to show for a name; undefined where the usual one is meant. */
export class NamedCertificates {
  #byName: ReadonlyMap<string, SecureContext>;

  /** `options`: what certificates have in common. Of several for one name the first counts. */
  constructor(certificates: readonly NamedCertificate[], options: object) {
    this.#byName = contextsOf(certificates, options);
  }

  replace(certificates: readonly NamedCertificate[], options: object): void {
    this.#byName = contextsOf(certificates, options);
  }

  find(name: string): SecureContext | undefined {
    const asked = name.toLowerCase();
    return this.#byName.get(asked) ?? this.#byName.get(`*${asked.slice(asked.indexOf('.'))}`);
  }
}

function contextsOf(certificates: readonly NamedCertificate[], options: object): Map<string, SecureContext> {
  const byName = new Map<string, SecureContext>();
  for (const { key, cert, names } of certificates) {
    const context = createSecureContext({ ...options, key, cert });
    for (const name of names) if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), context);
  }
  return byName;
}
