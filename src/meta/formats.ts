/**
 * Named string formats and the name rules built on them. Each is a function from a text to what is wrong with it, in
 * the words clients know, or undefined when it is fine. Names and labels are looked at on every write, so those formats
 * are loops over character codes.
 */

/** Undefined when the value is fine, else what is wrong with it. */
export type Format = (value: string) => string | undefined;

const DASH = 45;
const DOT = 46;
const SLASH = 47;
const UNDERSCORE = 95;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLowerAlphanumeric = (code: number): boolean => isLower(code) || isDigit(code);
const isAlphanumeric = (code: number): boolean => isLower(code) || isDigit(code) || isUpper(code);

/** Characters from `from` up to, not including, `to`: at least one, alphanumeric at both ends. */
function isLabel(text: string, from: number, to: number): boolean {
  if (from >= to || !isLowerAlphanumeric(text.charCodeAt(from)) || !isLowerAlphanumeric(text.charCodeAt(to - 1))) {
    return false;
  }
  for (let at = from + 1; at < to - 1; at++) {
    const code = text.charCodeAt(at);
    if (!isLowerAlphanumeric(code) && code !== DASH) return false;
  }
  return true;
}

function isSubdomain(text: string): boolean {
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && text.charCodeAt(at) !== DOT) continue;
    if (!isLabel(text, start, at)) return false;
    start = at + 1;
  }
  return true;
}

/** Letters, digits, '-', '_' and '.', alphanumeric at both ends. */
function isMixedName(text: string, from: number): boolean {
  const last = text.length - 1;
  if (from > last || !isAlphanumeric(text.charCodeAt(from)) || !isAlphanumeric(text.charCodeAt(last))) return false;
  for (let at = from + 1; at < last; at++) {
    const code = text.charCodeAt(at);
    if (!isAlphanumeric(code) && code !== DASH && code !== DOT && code !== UNDERSCORE) return false;
  }
  return true;
}

export const atMostCharacters = (limit: number): string => `must be no more than ${limit} characters`;

/** How a format that is a pattern introduces itself. */
function patternText(rule: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}'`).join(',  or ');
  const lead = examples.length === 0 ? '' : `e.g. ${shown}, `;
  return `${rule} (${lead}regex used for validation is '${pattern}')`;
}

const LABEL_PATTERN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_PATTERN = `${LABEL_PATTERN}(\\.${LABEL_PATTERN})*`;
const MIXED_PATTERN = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const LABEL_TEXT = patternText(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL_PATTERN,
  'my-name',
  '123-abc',
);
const SUBDOMAIN_TEXT = patternText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN_PATTERN,
  'example.com',
);
const LABEL_1035_TEXT = patternText(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  'abc-123',
);
const MIXED_TEXT = patternText(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  MIXED_PATTERN,
  'MyName',
  'my.name',
  '123-abc',
);
const QUALIFIED_TEXT = `a qualified name ${MIXED_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
const LABEL_VALUE_TEXT = patternText(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${MIXED_PATTERN})?`,
  'MyValue',
  'my_value',
  '12345',
);

/**
 * A generated name goes on after its prefix, so a dash at its end is no problem. Nor, as clients are used to, is
 * whatever stands before that dash: the name made from it will tell.
 */
const completed = (name: string, prefix: boolean): string =>
  prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;

/** One label of a host name. */
export function dns1123Label(name: string, prefix = false): string | undefined {
  const text = completed(name, prefix);
  if (text.length > 63) return atMostCharacters(63);
  return isLabel(text, 0, text.length) ? undefined : LABEL_TEXT;
}

/** Labels joined by dots: the rule for most names. */
export function dns1123Subdomain(name: string, prefix = false): string | undefined {
  const text = completed(name, prefix);
  if (text.length > 253) return atMostCharacters(253);
  return isSubdomain(text) ? undefined : SUBDOMAIN_TEXT;
}

/** A label that starts with a letter. */
export function dns1035Label(name: string, prefix = false): string | undefined {
  const text = completed(name, prefix);
  if (text.length > 63) return atMostCharacters(63);
  return isLabel(text, 0, text.length) && isLower(text.charCodeAt(0)) ? undefined : LABEL_1035_TEXT;
}

/** Anything that can stand alone between two slashes of a URL. */
export function pathSegment(name: string, prefix = false): string | undefined {
  if (!prefix && (name === '.' || name === '..')) return `may not be '${name}'`;
  if (name.includes('/')) return "may not contain '/'";
  return name.includes('%') ? "may not contain '%'" : undefined;
}

/** `*.` and a subdomain. */
export function wildcardDns1123Subdomain(value: string): string | undefined {
  if (value.length > 253) return atMostCharacters(253);
  if (value.startsWith('*.') && isSubdomain(value.slice(2))) return undefined;
  return patternText(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    `\\*\\.${SUBDOMAIN_PATTERN}`,
    '*.example.com',
  );
}

/** A name, with or without a domain and a slash before it: keys of labels, annotations, taints, conditions. */
export function qualifiedName(value: string): string | undefined {
  const slash = value.indexOf('/');
  if (slash >= 0) {
    if (value.indexOf('/', slash + 1) >= 0) return QUALIFIED_TEXT;
    const problem = slash === 0 ? 'must be non-empty' : dns1123Subdomain(value.slice(0, slash));
    if (problem !== undefined) return `prefix part ${problem}`;
  }
  const length = value.length - slash - 1;
  if (length === 0) return 'name part must be non-empty';
  if (length > 63) return `name part ${atMostCharacters(63)}`;
  return isMixedName(value, slash + 1) ? undefined : `name part ${MIXED_TEXT}`;
}

export function labelValue(value: string): string | undefined {
  if (value === '') return undefined;
  if (value.length > 63) return atMostCharacters(63);
  return isMixedName(value, 0) ? undefined : LABEL_VALUE_TEXT;
}

/** Names that would climb out of the directory a key becomes a file in. */
function climbing(value: string): string | undefined {
  if (value === '.') return "must not be '.'";
  if (value === '..') return "must not be '..'";
  return value.startsWith('..') ? "must not start with '..'" : undefined;
}

function isKey(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (!isAlphanumeric(code) && code !== DASH && code !== DOT && code !== UNDERSCORE) return false;
  }
  return value !== '';
}

/** Keys of config maps and secrets. */
export function configMapKey(value: string): string | undefined {
  if (value.length > 253) return atMostCharacters(253);
  if (isKey(value)) return climbing(value);
  return patternText(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    '[-._a-zA-Z0-9]+',
    'key.name',
    'KEY_NAME',
    'key-name',
  );
}

export function envVarName(value: string): string | undefined {
  if (isKey(value) && !isDigit(value.charCodeAt(0))) return climbing(value);
  return patternText(
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
    '[-._a-zA-Z][-._a-zA-Z0-9]*',
    'my.env-name',
    'MY_ENV.NAME',
    'MyEnvName1',
  );
}

/** The name of a port as services and probes refer to it. */
export function portName(value: string): string | undefined {
  if (value === '') return 'must be non-empty';
  if (value.length > 15) return atMostCharacters(15);
  let letters = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (isLower(code)) letters++;
    else if (!isDigit(code) && code !== DASH)
      return 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)';
  }
  if (letters === 0) return 'must contain at least one letter (a-z)';
  if (value.includes('--')) return 'must not contain consecutive hyphens';
  return value.startsWith('-') || value.endsWith('-') ? 'must not begin or end with a hyphen' : undefined;
}

export const inclusiveRange = (lowest: number, highest: number): string =>
  `must be between ${lowest} and ${highest}, inclusive`;

export const portNumber = (value: number): string | undefined =>
  value >= 1 && value <= 65535 ? undefined : inclusiveRange(1, 65535);

/** A port by number or by name. */
export const portReference = (value: number | string): string | undefined =>
  typeof value === 'number' ? portNumber(value) : portName(value);

const LARGEST_ID = 2 ** 31 - 1;

export const userId = (value: number): string | undefined =>
  value >= 0 && value <= LARGEST_ID ? undefined : inclusiveRange(0, LARGEST_ID);

export const groupId = userId;

export const fileMode = (value: number): string | undefined =>
  value >= 0 && value <= 0o777 ? undefined : 'must be a number between 0 and 0777 (octal), both inclusive';

export const percent: Format = (value) =>
  /^[0-9]+%$/.test(value)
    ? undefined
    : patternText("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%');

export const httpHeaderName: Format = (value) =>
  /^[-A-Za-z0-9]+$/.test(value)
    ? undefined
    : patternText(
        "a valid HTTP header must consist of alphanumeric characters or '-'",
        '[-A-Za-z0-9]+',
        'X-Header-Name',
      );

/** A host name of at least two labels; the dot of the root may follow. */
export function fqdn(value: string): string | undefined {
  const name = value.endsWith('.') ? value.slice(0, -1) : value;
  const problem = dns1123Subdomain(name);
  if (problem !== undefined) return problem;
  const labels = name.split('.');
  if (labels.length < 2) return 'should be a domain with at least two segments separated by dots';
  return labels.map((label) => dns1123Label(label)).find((text) => text !== undefined);
}

/** A subdomain of at least three labels, as names of webhooks are. */
export function fullyQualifiedName(value: string): string | undefined {
  const problem = dns1123Subdomain(value);
  if (problem !== undefined) return problem;
  return value.split('.').length < 3 ? 'should be a domain with at least three segments separated by dots' : undefined;
}

/** `domain/path`. */
export function domainPrefixedPath(value: string): string | undefined {
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) {
    return 'must be a domain-prefixed path (such as "acme.io/foo")';
  }
  const problem = dns1123Subdomain(value.slice(0, slash));
  if (problem !== undefined) return problem;
  return /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(value.slice(slash + 1))
    ? undefined
    : 'must consist of characters of a URL path';
}

const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;

export const sysctl: Format = (value) =>
  value.length <= 253 && SYSCTL.test(value)
    ? undefined
    : `must have at most 253 characters and match regex ${SYSCTL.source}`;

export const conditionReason: Format = (value) =>
  /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(value)
    ? undefined
    : patternText(
        "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
        '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?',
        'my_name',
        'MY_NAME',
        'MyName',
        'ReasonA,ReasonB',
        'ReasonA:ReasonB',
      );

const isAbsolute = (path: string): boolean => path.charCodeAt(0) === SLASH;

const UPWARDS = /(?:^|\/)\.\.(?:\/|$)/;

/** A path without an element that leads upwards. */
export const noBacksteps: Format = (value) => (UPWARDS.test(value) ? "must not contain '..'" : undefined);

/** A path that leads down from wherever it starts. */
export const relativePath: Format = (value) => (isAbsolute(value) ? 'must be a relative path' : noBacksteps(value));

/** A relative path whose first name the server does not keep for itself. */
export const nonReservedPath: Format = (value) =>
  relativePath(value) ?? (value.startsWith('..') ? "must not start with '..'" : undefined);

export const absolutePath: Format = (value) => (isAbsolute(value) ? undefined : 'must be an absolute path');

/** A whole number that is not negative, or a percentage. */
export const intOrPercent = (value: number | string): string | undefined =>
  typeof value === 'string' ? percent(value) : value < 0 ? NEGATIVE : undefined;

export const NEGATIVE = 'must be greater than or equal to 0';
export const NOT_POSITIVE = 'must be greater than 0';

/** A path into an object, as columns and scales of custom kinds have them. */
export const simpleJSONPath: Format = (value) =>
  value.startsWith('.') ? undefined : 'must be a simple json path starting with .';
