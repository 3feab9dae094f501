import { formatted, named, unchanged } from '../../meta/field-rules.ts';
import { dns1123Label, domainPrefixedPath } from '../../meta/formats.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { IngressClass, IngressClassParametersReference } from './ingress-class.ts';
import { validateReference } from './ingress-validation.ts';

const SPEC = Path.of('spec');
const LONGEST_CONTROLLER = 250;

export function validateIngressClass({ spec }: IngressClass, problems: Problems): void {
  const { controller = '', parameters } = spec;
  if (controller.length > LONGEST_CONTROLLER) problems.tooLong(SPEC.child('controller'), LONGEST_CONTROLLER);
  named(problems, SPEC, 'controller', controller, domainPrefixedPath);
  if (parameters) validateParameters(parameters, SPEC.child('parameters'), problems);
}

function validateParameters(parameters: IngressClassParametersReference, path: Path, problems: Problems): void {
  validateReference({ ...parameters, apiGroup: parameters.apiGroup ?? null }, path, problems);
  const { scope, namespace } = parameters;
  if (scope === null) problems.required(path.child('scope'));
  else if (scope === 'Namespace') {
    if (namespace === undefined) {
      problems.required(path.child('namespace'), "`parameters.scope` is set to 'Namespace'");
    } else formatted(problems, path, 'namespace', namespace, dns1123Label);
  } else if (scope !== 'Cluster') problems.notSupported(path.child('scope'), scope, ['Cluster', 'Namespace']);
  else if (namespace !== undefined) {
    problems.forbidden(path.child('namespace'), "`parameters.scope` is set to 'Cluster'");
  }
}

export function validateIngressClassUpdate({ spec }: IngressClass, old: IngressClass, problems: Problems): void {
  unchanged(problems, SPEC, 'controller', spec.controller, old.spec.controller);
}
