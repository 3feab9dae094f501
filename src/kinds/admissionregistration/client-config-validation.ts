import { required } from '../../meta/field-rules.ts';
import { dns1123Subdomain, portNumber } from '../../meta/formats.ts';
import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';

interface ServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string;
  readonly port?: number;
}

interface ClientConfig {
  readonly url?: string;
  readonly service?: ServiceReference;
}

/** How a webhook is reached: by URL or through a service. */
export function validateClientConfig({ url, service }: ClientConfig, path: Path, problems: Problems): void {
  if ((url === undefined) === (service === undefined)) {
    problems.required(path, 'exactly one of url or service is required');
  } else if (url !== undefined) validateUrl(url, path.child('url'), problems);
  else if (service) validateService(service, path.child('service'), problems);
}

interface UrlParts {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

function partsOf(url: string): UrlParts {
  const [beforeFragment, fragment = ''] = cutAt(url, '#');
  const [beforeQuery, query = ''] = cutAt(beforeFragment, '?');
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(beforeQuery)?.[0] ?? '';
  const rest = beforeQuery.slice(scheme.length);
  const [authority = ''] = rest.startsWith('//') ? rest.slice('//'.length).split('/', 1) : [];
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? undefined : authority.slice(0, at);
  return { scheme: scheme.slice(0, -1), user, host: authority.slice(at + 1), query, fragment };
}

function cutAt(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

const FORM = 'desired format: https://host[/path]';

function validateUrl(url: string, path: Path, problems: Problems): void {
  if (!isPlain(url)) {
    problems.required(path, `url must be a valid URL: it cannot be read; ${FORM}`);
    return;
  }
  const { scheme, user, host, query, fragment } = partsOf(url);
  if (scheme.toLowerCase() !== 'https') {
    problems.invalid(path, scheme, `'https' is the only allowed URL scheme; ${FORM}`);
  }
  if (host === '') problems.invalid(path, host, `host must be provided; ${FORM}`);
  if (user !== undefined) problems.invalid(path, user, 'user information is not permitted in the URL');
  if (fragment) problems.invalid(path, fragment, 'fragments are not permitted in the URL');
  if (query) problems.invalid(path, query, 'query parameters are not permitted in the URL');
}

/** Without characters that have no place in a URL. */
const isPlain = (url: string): boolean => !/[\s\p{Cc}]/u.test(url);

function validateService(
  { name, namespace, path: url = '', port }: ServiceReference,
  path: Path,
  problems: Problems,
): void {
  required(problems, path, 'name', name, 'service name is required');
  required(problems, path, 'namespace', namespace, 'service namespace is required');
  const problem = port === undefined ? undefined : portNumber(port);
  if (problem !== undefined) problems.invalid(path.child('port'), port, `port is not valid: ${problem}`);
  const pathProblem = webhookPath(url);
  if (pathProblem !== undefined) problems.invalid(path.child('path'), url, pathProblem);
}

/** Of a path. */
const LONGEST_PATH = 2_048;

/** A path of plain segments; one slash may end it. */
function webhookPath(url: string): string | undefined {
  if (url === '' || url === '/') return undefined;
  if (!url.startsWith('/')) return "must start with a '/'";
  if (url.length > LONGEST_PATH) return `must have at most ${LONGEST_PATH} characters`;
  const segments = (url.endsWith('/') ? url.slice(1, -1) : url.slice(1)).split('/');
  const at = segments.findIndex((segment) => dns1123Subdomain(segment) !== undefined);
  if (at < 0) return undefined;
  const segment = segments[at] ?? '';
  return segment === '' ? `segment[${at}] may not be empty` : `segment[${at}]: ${dns1123Subdomain(segment)}`;
}
