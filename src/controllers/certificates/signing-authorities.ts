import type { Issuer } from '../../pki/certificate.ts';
import { SigningAuthority } from '../../pki/signing-authority.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UsageError } from '../../settings/flag.ts';
import { SIGNING_FLAGS, type SigningSettings } from '../../settings/signing-flags.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** What certificates are signed with, by the names of signers. */
export interface CertificateSigners {
  /** In milliseconds; no certificate lasts longer. */
  readonly longestLife: number;
  /** Undefined: requests to this signer are for others to sign. */
  issuerFor(signerName: string): Issuer | undefined;
}

/** A server's own authority: PEM. */
export interface OwnAuthority {
  readonly certificate: string;
  readonly key: string;
}

/**
 * The authorities that settings name: one for all signers, or one each, where those that have none do not sign. Without
 * any it is the server's own, if it has one. What is wrong with settings and files is found out when it is made.
 */
export class SigningAuthorities implements CertificateSigners {
  readonly longestLife: number;
  readonly #authorities: ReadonlyMap<string, SigningAuthority>;

  constructor(settings: SigningSettings, { signers }: Vocabulary, own: OwnAuthority | undefined) {
    this.longestLife = settings.clusterSigningDuration;
    if (this.longestLife <= 0) throw new UsageError('--cluster-signing-duration must be above 0');
    const common = authorityIn(settings, 'clusterSigningCertFile', 'clusterSigningKeyFile');
    const single = singleAuthorities(settings, signers);
    if (common && single.size > 0) {
      throw new UsageError(
        '--cluster-signing-cert-file and --cluster-signing-key-file are for all signers, and cannot be given with those of one',
      );
    }
    this.#authorities = single.size > 0 ? single : sameForAll(Object.values(signers), common, own);
  }

  /** Whether none of the signers signs. */
  get isEmpty(): boolean {
    return this.#authorities.size === 0;
  }

  issuerFor(signerName: string): Issuer | undefined {
    return this.#authorities.get(signerName)?.issuer;
  }

  /** Takes up what files hold that change from now on. */
  follow(runtime: Runtime, onProblem: (error: unknown) => void): { close(): void } {
    const followed = [...new Set(this.#authorities.values())].map((one) => one.follow(runtime, onProblem));
    return {
      close() {
        for (const one of followed) one.close();
      },
    };
  }
}

/** The authorities of signers that have one of their own. */
function singleAuthorities(settings: SigningSettings, signers: Vocabulary['signers']): Map<string, SigningAuthority> {
  const rows = [
    [signers.nodeServing, 'clusterSigningKubeletServingCertFile', 'clusterSigningKubeletServingKeyFile'],
    [signers.apiserverClientNode, 'clusterSigningKubeletClientCertFile', 'clusterSigningKubeletClientKeyFile'],
    [signers.apiserverClient, 'clusterSigningKubeApiserverClientCertFile', 'clusterSigningKubeApiserverClientKeyFile'],
    [signers.legacyUnknown, 'clusterSigningLegacyUnknownCertFile', 'clusterSigningLegacyUnknownKeyFile'],
  ] as const;
  const found = new Map<string, SigningAuthority>();
  for (const [signer, certificate, key] of rows) {
    const authority = authorityIn(settings, certificate, key);
    if (authority) found.set(signer, authority);
  }
  return found;
}

function authorityIn(
  settings: SigningSettings,
  certificateFlag: keyof typeof SIGNING_FLAGS & `${string}CertFile`,
  keyFlag: keyof typeof SIGNING_FLAGS & `${string}KeyFile`,
): SigningAuthority | undefined {
  const { [certificateFlag]: certificate, [keyFlag]: key } = settings;
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    const [one, other] = [SIGNING_FLAGS[certificateFlag].name, SIGNING_FLAGS[keyFlag].name];
    throw new UsageError(`--${one} and --${other} must be given together`);
  }
  return SigningAuthority.inFiles({ certificate, key });
}

function sameForAll(
  signers: readonly string[],
  given: SigningAuthority | undefined,
  own: OwnAuthority | undefined,
): Map<string, SigningAuthority> {
  const authority = given ?? (own && SigningAuthority.of(own));
  return new Map(authority ? signers.map((signer) => [signer, authority]) : []);
}
