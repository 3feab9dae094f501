import { type ConfigurationFields, readConfigurationDocument } from '../../codec/configuration-fields.ts';
import { readCertificates } from '../../pki/keys.ts';
import type { UserIn } from '../oidc-claims.ts';
import { userByConfiguration } from './claim-mappings.ts';
import { httpsAddress, MOST_AUDIENCES, MOST_ISSUERS, MOST_PATHS } from './field-rules.ts';

/** One issuer of tokens, and how its tokens become users. */
export interface IssuerConfiguration {
  readonly url: string;
  readonly discoveryUrl: string | undefined;
  /** PEM; without it the system's authorities are trusted. */
  readonly certificateAuthority: string | undefined;
  readonly audiences: readonly string[];
  readonly userIn: UserIn;
}

/** Whether requests without credentials are let in, and where to. */
export interface AnonymousConfiguration {
  readonly enabled: boolean;
  /** Empty: everywhere. */
  readonly paths: readonly string[];
}

export interface AuthenticationConfiguration {
  readonly issuers: readonly IssuerConfiguration[];
  /** Undefined: as flags say. */
  readonly anonymous: AnonymousConfiguration | undefined;
}

export interface ReadingOptions {
  /** API group of the document. */
  readonly group: string;
  /** Issuers of tokens that the server verifies by other means, which nobody else may be. */
  readonly ownIssuers: readonly string[];
}

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'];

/** Reads an AuthenticationConfiguration. Rejects with an Error of one line that names the field that is wrong. */
export async function readAuthenticationConfiguration(
  text: string,
  { group, ownIssuers }: ReadingOptions,
): Promise<AuthenticationConfiguration> {
  const document = await readConfigurationDocument(text, {
    kind: 'AuthenticationConfiguration',
    apiVersions: VERSIONS.map((version) => `${group}/${version}`),
  });
  document.only('kind', 'apiVersion', 'jwt', 'anonymous');
  const issuers = document.objects('jwt', MOST_ISSUERS).map((entry) => readIssuer(entry, ownIssuers));
  demandDistinct(issuers);
  return { issuers, anonymous: readAnonymous(document.object('anonymous')) };
}

function readIssuer(entry: ConfigurationFields, ownIssuers: readonly string[]): IssuerConfiguration {
  entry.only('issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules');
  const issuer = entry.requiredObject('issuer');
  issuer.only('url', 'discoveryURL', 'certificateAuthority', 'audiences', 'audienceMatchPolicy');
  const url = httpsAddress(issuer, 'url');
  if (ownIssuers.includes(url)) throw issuer.problem('url', 'is that of this server itself');
  const discoveryUrl = (issuer.text('discoveryURL') ?? '') === '' ? undefined : httpsAddress(issuer, 'discoveryURL');
  if (discoveryUrl === url) throw issuer.problem('discoveryURL', 'must be different from url');
  return {
    url,
    discoveryUrl,
    certificateAuthority: readAuthority(issuer),
    audiences: readAudiences(issuer),
    userIn: userByConfiguration(entry),
  };
}

function readAuthority(issuer: ConfigurationFields): string | undefined {
  const pem = issuer.text('certificateAuthority') ?? '';
  if (pem === '') return undefined;
  try {
    readCertificates(pem, 'it');
  } catch (error) {
    throw issuer.problem('certificateAuthority', error instanceof Error ? error.message : String(error));
  }
  return pem;
}

function readAudiences(issuer: ConfigurationFields): readonly string[] {
  const audiences = issuer.texts('audiences', MOST_AUDIENCES);
  if (audiences.length === 0) throw issuer.problem('audiences', 'at least one is required');
  const twice = audiences.find((audience, at) => audiences.indexOf(audience) !== at);
  if (twice !== undefined) throw issuer.problem('audiences', `"${twice}" is there twice`);
  const policy = issuer.text('audienceMatchPolicy') ?? '';
  if (policy !== 'MatchAny' && (policy !== '' || audiences.length > 1)) {
    throw issuer.problem(
      'audienceMatchPolicy',
      audiences.length > 1 ? 'must be MatchAny for multiple audiences' : 'must be MatchAny or empty',
    );
  }
  return audiences;
}

function demandDistinct(issuers: readonly IssuerConfiguration[]): void {
  for (const [name, addresses] of [
    ['url', issuers.map(({ url }) => url)],
    ['discoveryURL', issuers.map(({ discoveryUrl }) => discoveryUrl)],
  ] as const) {
    const at = addresses.findIndex((one, index) => one !== undefined && addresses.indexOf(one) !== index);
    if (at >= 0) throw new Error(`jwt[${at}].issuer.${name}: is there twice`);
  }
}

function readAnonymous(anonymous: ConfigurationFields | undefined): AnonymousConfiguration | undefined {
  if (!anonymous) return undefined;
  anonymous.only('enabled', 'conditions');
  const enabled = anonymous.flag('enabled');
  const paths = anonymous
    .objects('conditions', MOST_PATHS)
    .map((condition) => condition.only('path').requiredText('path'));
  if (!enabled && paths.length > 0)
    throw anonymous.problem('conditions', 'enabled should be set to true when conditions are defined');
  return { enabled, paths };
}
