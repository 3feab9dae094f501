import type { X509Certificate } from 'node:crypto';
import { certificateFields } from './certificate.ts';
import { oid, TAG } from './der.ts';
import { readConstructed, readElements } from './der-reader.ts';
import { readExtension } from './extensions.ts';

/** How a certificate says it may be used, as far as `X509Certificate` does not tell. */
export interface Constraints {
  /** May sign other certificates, as long as it is trusted by itself: version 1 had no way to say that one may not. */
  readonly mayBeRoot: boolean;
  /** False: signed in a way that can be forged today (SHA-1, MD5), or that is not known here. */
  readonly soundlySigned: boolean;
  /** How many authorities may stand between this one and the leaf; absent: any number. */
  readonly pathLength?: number;
  /** Bits of the key usage extension, 0 first; absent: every usage. */
  readonly keyUsage?: ReadonlySet<number>;
  /** Demands something that is not looked at here: the certificate must not be trusted. */
  readonly undecidable: boolean;
}

const encoded = (...dotted: readonly string[]): ReadonlySet<string> =>
  new Set(dotted.map((one) => oid(one).toString('hex')));

/** RSA, ECDSA and Ed25519, with SHA-2 where a digest is chosen. */
const SOUND = encoded(
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.3.101.112',
);

const [BASIC_CONSTRAINTS, KEY_USAGE, NAME_CONSTRAINTS] = ['2.5.29.19', '2.5.29.15', '2.5.29.30'].map((dotted) =>
  oid(dotted).toString('hex'),
);

/** Extensions that may be critical: those read here or by `X509Certificate`, and alternative names, which grant nothing. */
const UNDERSTOOD = encoded('2.5.29.14', '2.5.29.15', '2.5.29.17', '2.5.29.19', '2.5.29.35', '2.5.29.37');

/** Reads what chain verification needs to know. Throws on bytes that are no certificate. */
export function constraintsOf({ raw, ca }: X509Certificate): Constraints {
  const [, algorithm] = readConstructed(raw, TAG.sequence);
  const [signature] = algorithm ? readElements(algorithm.content) : [];
  const fields = certificateFields(raw);
  const extensions = fields.extensions.map(readExtension);
  const extension = (id: string | undefined): Buffer | undefined => extensions.find((one) => one.id === id)?.value;
  const pathLength = pathLengthIn(extension(BASIC_CONSTRAINTS));
  const keyUsage = bitsIn(extension(KEY_USAGE));
  return {
    mayBeRoot: ca || fields.version === 1,
    soundlySigned: signature !== undefined && SOUND.has(signature.whole.toString('hex')),
    ...(pathLength === undefined ? {} : { pathLength }),
    ...(keyUsage === undefined ? {} : { keyUsage }),
    undecidable: extensions.some(({ id, critical }) => id === NAME_CONSTRAINTS || (critical && !UNDERSTOOD.has(id))),
  };
}

/** `SEQUENCE { cA DEFAULT FALSE, pathLenConstraint OPTIONAL }` */
function pathLengthIn(value: Buffer | undefined): number | undefined {
  const length = value && readConstructed(value, TAG.sequence).find(({ tag }) => tag === TAG.integer);
  if (!length) return undefined;
  // A length that takes more bytes than a chain can have certificates limits nothing.
  return length.content.length > 2 ? Number.MAX_SAFE_INTEGER : length.content.readIntBE(0, length.content.length);
}

function bitsIn(value: Buffer | undefined): ReadonlySet<number> | undefined {
  const [bits] = value ? readElements(value) : [];
  if (!bits) return undefined;
  const set = new Set<number>();
  bits.content.subarray(1).forEach((byte, at) => {
    for (let bit = 0; bit < 8; bit++) if (byte & (0x80 >> bit)) set.add(at * 8 + bit);
  });
  return set;
}
