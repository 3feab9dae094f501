import type { CertificateSigners } from './certificates/signing-authorities.ts';

/** Whom a token is for that a secret keeps. */
export interface SecretTokenClaims {
  readonly namespace: string;
  readonly secretName: string;
  readonly serviceAccount: { readonly name: string; readonly uid: string };
}

/** What some loops work with that no plane tells: files of the operator, keys of the server. */
export interface LoopMaterials {
  /** PEM of the authority that clients inside the plane trust the server by. */
  readonly rootCa: string;
  /** What approved requests for certificates are signed with. */
  readonly signers: CertificateSigners;
  /** How many pods that have ended are kept; 0 for all. */
  readonly terminatedPodThreshold: number;
  /** A token of a service account that is good for as long as the secret holds it. */
  signForSecret(claims: SecretTokenClaims): Promise<string>;
}
