import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { validateTokenLife } from '../../core/volume/projected-volume-validation.ts';
import type { TokenRequest } from './token-request.ts';

export function validateTokenRequest({ spec }: TokenRequest, problems: Problems): void {
  if (spec.expirationSeconds !== null) validateTokenLife(spec.expirationSeconds, Path.of('spec'), problems);
}
