import { boolean, choice, duration, list, optionalText, repeated, text } from './flag.ts';

/** Whom the server believes to be whom. */
export const AUTHENTICATION_FLAGS = {
  anonymousAuth: boolean(
    'anonymous-auth',
    true,
    'let requests without credentials in as system:anonymous; never with AlwaysAllow',
  ),
  tokenAuthFile: optionalText('token-auth-file', 'FILE', 'CSV of static tokens: token,user,uid,"group1,group2"'),
  clientCaFile: optionalText('client-ca-file', 'FILE', 'PEM bundle of further authorities for client certificates'),
  requestheaderClientCaFile: optionalText(
    'requestheader-client-ca-file',
    'FILE',
    'PEM bundle of authorities for certificates of authenticating proxies',
  ),
  requestheaderAllowedNames: list(
    'requestheader-allowed-names',
    'NAMES',
    [],
    'common names that authenticating proxies may have; any when empty',
  ),
  requestheaderUsernameHeaders: list(
    'requestheader-username-headers',
    'HEADERS',
    [],
    'where authenticating proxies name the user; the first that is there counts',
  ),
  requestheaderGroupHeaders: list(
    'requestheader-group-headers',
    'HEADERS',
    [],
    'where authenticating proxies name the groups of the user',
  ),
  requestheaderExtraHeadersPrefix: list(
    'requestheader-extra-headers-prefix',
    'PREFIXES',
    [],
    'how headers begin in which authenticating proxies tell more about the user',
  ),
  enableBootstrapTokenAuth: boolean(
    'enable-bootstrap-token-auth',
    false,
    'let secrets of the system namespace hold tokens with which machines join',
  ),
  serviceAccountKeyFile: repeated(
    'service-account-key-file',
    'FILE',
    'PEM keys that verify service account tokens; by default that of the server itself',
  ),
  serviceAccountSigningKeyFile: optionalText(
    'service-account-signing-key-file',
    'FILE',
    'PEM key that signs service account tokens; made when absent',
  ),
  serviceAccountIssuer: repeated(
    'service-account-issuer',
    'URL',
    'who is named as the issuer of service account tokens; others but the first are only accepted',
  ),
  serviceAccountJwksUri: optionalText(
    'service-account-jwks-uri',
    'URL',
    'where others find the keys of service account tokens; by default at this server',
  ),
  apiAudiences: list('api-audiences', 'NAMES', [], 'what tokens call this server; by default its issuers'),
  serviceAccountLookup: boolean(
    'service-account-lookup',
    true,
    'refuse service account tokens whose secret or account is gone',
  ),
  serviceAccountMaxTokenExpiration: duration(
    'service-account-max-token-expiration',
    0,
    'the longest that requested service account tokens are good for; 0 for no limit',
  ),
  serviceAccountExtendTokenExpiration: boolean(
    'service-account-extend-token-expiration',
    true,
    'let tokens that pods are given go on for a year, and note when one is used past its time',
  ),
  oidcIssuerUrl: optionalText(
    'oidc-issuer-url',
    'URL',
    'https address of an OpenID provider whose id tokens are accepted',
  ),
  oidcClientId: optionalText('oidc-client-id', 'ID', 'whom id tokens must have been issued for'),
  oidcUsernameClaim: text('oidc-username-claim', 'CLAIM', 'sub', 'the claim of an id token that names the user'),
  oidcUsernamePrefix: optionalText(
    'oidc-username-prefix',
    'PREFIX',
    'put before user names; - for none; by default the issuer and #, unless the claim is email',
  ),
  oidcGroupsClaim: optionalText('oidc-groups-claim', 'CLAIM', 'the claim of an id token that names the groups'),
  oidcGroupsPrefix: optionalText('oidc-groups-prefix', 'PREFIX', 'put before names of groups'),
  oidcRequiredClaim: repeated('oidc-required-claim', 'CLAIM=VALUE', 'what an id token must say'),
  oidcCaFile: optionalText(
    'oidc-ca-file',
    'FILE',
    'PEM bundle to verify the provider by; by default that of the system',
  ),
  oidcSigningAlgs: list('oidc-signing-algs', 'ALGORITHMS', ['RS256'], 'how id tokens may be signed'),
  authenticationTokenWebhookConfigFile: optionalText(
    'authentication-token-webhook-config-file',
    'FILE',
    'client configuration of a service that is asked whose a token is',
  ),
  authenticationTokenWebhookCacheTtl: duration(
    'authentication-token-webhook-cache-ttl',
    120_000,
    'how long answers of that service are remembered',
  ),
  authenticationTokenWebhookVersion: choice(
    'authentication-token-webhook-version',
    ['v1beta1', 'v1'],
    'v1beta1',
    'version of the TokenReviews that are sent there',
  ),
};
