import { headerValue } from '../../http/headers.ts';
import type { HttpRequest } from '../../http/message.ts';

/** Words that may be repeated: anything else in the header could be the credential itself. */
const SCHEME = /^(basic|bearer) /i;

/** By what sort of credential a request hoped to be known. */
export function attemptedCredentials(request: HttpRequest): string {
  const scheme = SCHEME.exec(headerValue(request, 'authorization') ?? '')?.[1]?.toLowerCase();
  const attempted = [
    ...(scheme === undefined ? [] : [scheme]),
    ...(request.socket?.getPeerX509Certificate() ? ['x509'] : []),
  ];
  if (attempted.length === 0) return 'Authentication failed, no credentials provided';
  return `Authentication failed, attempted: ${attempted.join(', ')}`;
}
