import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import { validateFlowConditions } from './flow-schema-validation.ts';
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  QueuingConfiguration,
} from './priority-level-configuration.ts';

const SPEC = Path.of('spec');
const MOST_QUEUES = 10_000_000;
const MOST_ENTROPY_BITS = 60;

/** The levels that the server cannot do without, as they have to be. */
const FIXED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['exempt', { type: 'Exempt' }],
  ['catch-all', { type: 'Limited', limited: { assuredConcurrencyShares: 5, limitResponse: { type: 'Reject' } } }],
]);

export function validatePriorityLevelConfiguration(level: PriorityLevelConfiguration, problems: Problems): void {
  const { metadata, spec, status } = level;
  const { name = '' } = metadata;
  const { type, limited } = spec;
  if ((name === 'exempt') !== (type === 'Exempt')) {
    problems.invalid(SPEC.child('type'), type, "type must be 'Exempt' if and only if name is 'exempt'");
  }
  const path = SPEC.child('limited');
  if (type === 'Exempt') {
    if (limited) problems.forbidden(path, 'must be nil if the type is not Limited');
  } else if (type !== 'Limited') problems.notSupported(SPEC.child('type'), type, ['Exempt', 'Limited']);
  else if (limited) validateLimited(limited, path, problems);
  else problems.required(path, 'must not be empty when type is Limited');
  const fixed = FIXED.get(name);
  if (fixed && !sameValue(spec, fixed)) problems.invalid(SPEC, spec, `spec of '${name}' must equal the fixed value`);
  validateFlowConditions(status.conditions ?? [], problems);
}

const POSITIVE = 'must be positive';

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: Path, problems: Problems): void {
  const { assuredConcurrencyShares: shares, limitResponse } = limited;
  if (shares <= 0) problems.invalid(path.child('assuredConcurrencyShares'), shares, POSITIVE);
  validateResponse(limitResponse, path.child('limitResponse'), problems);
}

/** What happens to requests beyond the limit. */
function validateResponse({ type, queuing }: LimitResponse, path: Path, problems: Problems): void {
  const queues = path.child('queuing');
  if (type === 'Reject') {
    if (queuing) problems.forbidden(queues, 'must be nil if limited.limitResponse.type is not Limited');
  } else if (type !== 'Queue') problems.notSupported(path.child('type'), type, ['Queue', 'Reject']);
  else if (queuing) validateQueuing(queuing, queues, problems);
  else problems.required(queues, 'must not be empty if limited.limitResponse.type is Limited');
}

/** A flow is dealt a hand of queues; one hash has to be enough to choose it. */
function validateQueuing(
  { queues, handSize, queueLengthLimit }: QueuingConfiguration,
  path: Path,
  problems: Problems,
): void {
  const bad = (field: string, value: number, why: string): void => problems.invalid(path.child(field), value, why);
  if (queueLengthLimit <= 0) bad('queueLengthLimit', queueLengthLimit, POSITIVE);
  if (queues <= 0) bad('queues', queues, POSITIVE);
  else if (queues > MOST_QUEUES) bad('queues', queues, `must not be greater than ${MOST_QUEUES}`);
  if (handSize <= 0) bad('handSize', handSize, POSITIVE);
  else if (handSize > queues) bad('handSize', handSize, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * handSize) > MOST_ENTROPY_BITS) {
    const what = `required entropy bits of deckSize ${queues} and handSize ${handSize}`;
    bad('handSize', handSize, `${what} should not be greater than ${MOST_ENTROPY_BITS}`);
  }
}

export function validatePriorityLevelConfigurationStatusUpdate(
  { status }: PriorityLevelConfiguration,
  _old: PriorityLevelConfiguration,
  problems: Problems,
): void {
  validateFlowConditions(status.conditions ?? [], problems);
}
