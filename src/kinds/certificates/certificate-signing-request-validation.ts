import { distinct, required } from '../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain } from '../../meta/formats.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { sameValue } from '../../schema/same-value.ts';
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from './certificate-signing-request.ts';
import { certificateChain, certificateRequest } from './request-signature.ts';

const SPEC = Path.of('spec');
const CONDITIONS = Path.of('status', 'conditions');
const CERTIFICATE = Path.of('status', 'certificate');

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const SHORTEST_LIFE = 600;

export function validateCertificateSigningRequest(
  { spec, status }: CertificateSigningRequest,
  problems: Problems,
  { vocabulary }: HookContext,
): void {
  const { request, usages = [], signerName, expirationSeconds } = spec;
  const problem = certificateRequest(Buffer.from(request ?? '', 'base64').toString());
  if (problem !== undefined) problems.invalid(SPEC.child('request'), request ?? '', problem);
  required(problems, SPEC, 'usages', usages, 'usages must be provided');
  usages.forEach((usage, at) => {
    if (!USAGES.includes(usage)) problems.notSupported(SPEC.child('usages').index(at), usage, USAGES);
  });
  distinct(problems, SPEC.child('usages'), '', usages);
  if (signerName === vocabulary.signers.legacyUnknown) {
    const rule = 'the legacy signerName is not allowed via this API version';
    problems.invalid(SPEC.child('signerName'), signerName, rule);
  } else validateSignerName(signerName, SPEC, 'signerName', problems);
  if (expirationSeconds !== undefined && expirationSeconds < SHORTEST_LIFE) {
    const rule = `may not specify a duration less than ${SHORTEST_LIFE} seconds (10 minutes)`;
    problems.invalid(SPEC.child('expirationSeconds'), expirationSeconds, rule);
  }
  validateStatus(status, problems);
}

const LONGEST_DOMAIN = 253;
const LONGEST_SIGNER = 571;

/** `domain/path`, where the path may hold a namespace and a name. */
export function validateSignerName(name: string, path: Path, field: string, problems: Problems): void {
  if (!required(problems, path, field, name, `${field} must be provided`)) return;
  const bad = (value: string, why: string): void => problems.invalid(path.child(field), value, why);
  const [domain = '', rest, more] = name.split('/', 3);
  if (rest === undefined || more !== undefined) {
    bad(name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
    return;
  }
  if (name.length > LONGEST_SIGNER) {
    // How its parts are wrong besides nobody has to look through megabytes for.
    problems.tooLong(path.child(field), LONGEST_SIGNER);
    return;
  }
  const labels = domain.split('.');
  const badLabel = labels.find((label) => dns1123Label(label) !== undefined);
  const badPart = rest.split('.').find((part) => dns1123Subdomain(part) !== undefined);
  if (domain.length > LONGEST_DOMAIN) problems.tooLong(path.child(field), LONGEST_DOMAIN);
  if (badLabel !== undefined) bad(domain, `validating label "${badLabel}": ${dns1123Label(badLabel)}`);
  if (labels.length < 2) bad(domain, 'should be a domain with at least two segments separated by dots');
  if (badPart !== undefined) bad(rest, `validating label "${badPart}": ${dns1123Subdomain(badPart)}`);
}

type Status = CertificateSigningRequest['status'];

const LASTING = ['Approved', 'Denied', 'Failed'];
const STATUSES = ['False', 'True', 'Unknown'];

function validateStatus({ conditions = [], certificate }: Status, problems: Problems): void {
  const types = conditions.map(({ type }) => type);
  distinct(problems, CONDITIONS, 'type', types);
  const earlier = new Set<string>();
  conditions.forEach(({ type, status }, at) => {
    const path = CONDITIONS.index(at);
    required(problems, path, 'type', type);
    const allowed = LASTING.includes(type) ? ['True'] : STATUSES;
    if (required(problems, path, 'status', status) && !allowed.includes(status)) {
      problems.notSupported(path.child('status'), status, allowed);
    }
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (opposite && earlier.has(opposite)) {
      problems.invalid(path.child('type'), type, 'Approved and Denied conditions are mutually exclusive');
    }
    earlier.add(type);
  });
  const problem = certificate ? certificateChain(Buffer.from(certificate, 'base64').toString()) : undefined;
  if (problem !== undefined) problems.invalid(CERTIFICATE, '<certificate data>', problem);
}

const ofType = ({ conditions = [] }: Status, type: string): CertificateSigningRequestCondition[] =>
  conditions.filter((condition) => condition.type === type);

/** What has been decided stays decided. */
function validateDecisionsStay(status: Status, old: Status, problems: Problems): void {
  for (const type of LASTING) {
    if (ofType(status, type).length < ofType(old, type).length) {
      problems.forbidden(CONDITIONS, `updates may not remove a condition of type "${type}"`);
    }
  }
}

/** Who approves decides, and leaves the certificate to the signer. */
export function validateApprovalUpdate(
  { status }: CertificateSigningRequest,
  { status: old }: CertificateSigningRequest,
  problems: Problems,
): void {
  validateStatus(status, problems);
  validateDecisionsStay(status, old, problems);
}

/** Who signs hands in the certificate once, and leaves decisions to others. */
export function validateSigningUpdate(
  { status }: CertificateSigningRequest,
  { status: old }: CertificateSigningRequest,
  problems: Problems,
): void {
  validateStatus(status, problems);
  validateDecisionsStay(status, old, problems);
  for (const type of ['Approved', 'Denied']) {
    const [now, before] = [ofType(status, type), ofType(old, type)];
    if (now.length > before.length) problems.forbidden(CONDITIONS, `updates may not add a condition of type "${type}"`);
    else if (now.length === before.length && !sameValue(now, before)) {
      problems.forbidden(CONDITIONS, `updates may not modify a condition of type "${type}"`);
    }
  }
  if (old.certificate && status.certificate !== old.certificate) {
    problems.forbidden(CERTIFICATE, 'updates may not modify existing certificate content');
  }
}
