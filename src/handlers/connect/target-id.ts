/** What a proxy path names: an object, a port of it, and how to talk to it. */
export interface TargetId {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** A number or a name; '' when none is given. */
  readonly port: string;
}

/** Reads `name`, `name:port` or `scheme:name:port`; undefined when it is none of these. The scheme may be left empty. */
export function readTargetId(id: string): TargetId | undefined {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  const isKnown = scheme === '' || scheme === 'http' || scheme === 'https';
  if (parts.length > 3 || name === '' || !isKnown) return undefined;
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

const LARGEST_PORT = 65_535;

/** A port as a number; undefined when the text is none. */
export function portNumber(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port <= LARGEST_PORT ? port : undefined;
}

export const usualPort = (scheme: 'http' | 'https'): number => (scheme === 'https' ? 443 : 80);
