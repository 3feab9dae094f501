import { boolean, type Flag, fraction, integer, list, optionalText, repeated } from './flag.ts';

/** Flags about connections, and what every answer carries. */
export const SERVING_FLAGS = {
  tlsSniCertKey: repeated(
    'tls-sni-cert-key',
    'CERT,KEY[:NAMES]',
    'PEM certificate and key to show to clients that ask for one of the names; by default those in the certificate',
  ),
  http2MaxStreamsPerConnection: integer(
    'http2-max-streams-per-connection',
    0,
    100_000,
    0,
    'requests at once on one HTTP/2 connection; 0 for the usual 250',
  ),
  goawayChance: fraction(
    'goaway-chance',
    0.02,
    'the chance that an HTTP/2 client is asked, with a request, to connect anew, so that clients spread over servers',
  ),
  strictTransportSecurityDirectives: list(
    'strict-transport-security-directives',
    'DIRECTIVES',
    [],
    'what to tell browsers in the header Strict-Transport-Security: max-age=N, includeSubDomains, preload',
  ),
  corsAllowedOrigins: list(
    'cors-allowed-origins',
    'PATTERNS',
    [],
    'regular expressions of origins whose pages may use this server from a browser',
  ),
  enableConsole: boolean('enable-console', true, 'serve the web console at /console'),
  externalHostname: optionalText(
    'external-hostname',
    'NAME',
    'host name under which others reach this server, for addresses that it publishes',
  ),
} as const satisfies Record<string, Flag<unknown>>;
