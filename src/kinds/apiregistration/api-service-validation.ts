import { formatted, formattedIfSet, required } from '../../meta/field-rules.ts';
import { dns1035Label, dns1123Subdomain, portNumber } from '../../meta/formats.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { APIService, APIServiceSpec } from './api-service.ts';

const SPEC = Path.of('spec');
const CONDITIONS = Path.of('status', 'conditions');
const HIGHEST_GROUP_PRIORITY = 20_000;
const HIGHEST_VERSION_PRIORITY = 1000;

export function validateAPIService({ metadata, spec }: APIService, problems: Problems): void {
  const { group = '', version = '' } = spec;
  const name = `${version}.${group}`;
  if (metadata.name && metadata.name !== name) {
    problems.invalid('metadata.name', metadata.name, `must be \`spec.version+"."+spec.group\`: "${name}"`);
  }
  if (group === '' && version !== 'v1') {
    problems.required(SPEC.child('group'), 'only v1 may have an empty group');
  }
  formattedIfSet(problems, SPEC, 'group', group, dns1123Subdomain);
  formatted(problems, SPEC, 'version', version, dns1035Label);
  validatePriority(spec.groupPriorityMinimum, HIGHEST_GROUP_PRIORITY, 'groupPriorityMinimum', problems);
  validatePriority(spec.versionPriority, HIGHEST_VERSION_PRIORITY, 'versionPriority', problems);
  if (spec.service) validateService(spec, spec.service, problems);
  else validateLocal(spec, problems);
}

function validatePriority(priority: number, highest: number, field: string, problems: Problems): void {
  if (priority > 0 && priority <= highest) return;
  problems.invalid(SPEC.child(field), priority, `must be positive and less than ${highest}`);
}

/** What this server serves itself needs no trust. */
function validateLocal({ caBundle, insecureSkipTLSVerify }: APIServiceSpec, problems: Problems): void {
  if (caBundle) problems.invalid(SPEC.child('caBundle'), caBundle, 'local APIServices may not have a caBundle');
  if (insecureSkipTLSVerify) {
    problems.invalid(SPEC.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify');
  }
}

type Service = NonNullable<APIServiceSpec['service']>;

function validateService(spec: APIServiceSpec, { namespace, name, port }: Service, problems: Problems): void {
  const path = SPEC.child('service');
  required(problems, path, 'namespace', namespace);
  required(problems, path, 'name', name);
  const problem = port === undefined ? undefined : portNumber(port);
  if (problem !== undefined) problems.invalid(path.child('port'), port, `port is not valid: ${problem}`);
  if (spec.insecureSkipTLSVerify && spec.caBundle) {
    problems.invalid(SPEC.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present');
  }
}

const STATUSES = ['False', 'True', 'Unknown'];

export function validateAPIServiceStatusUpdate({ status }: APIService, _old: APIService, problems: Problems): void {
  status.conditions?.forEach((condition, at) => {
    if (STATUSES.includes(condition.status)) return;
    problems.notSupported(CONDITIONS.index(at).child('status'), condition.status, STATUSES);
  });
}
