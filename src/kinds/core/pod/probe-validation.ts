import { formatted, nonNegative, positive, required } from '../../../meta/field-rules.ts';
import { httpHeaderName, portNumber, portReference } from '../../../meta/formats.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { Container } from './container.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { HTTPGetAction, Probe, ProbeHandler } from './probe.ts';

/** All probes and hooks of a container that runs to serve. */
export function validateContainerProbes(container: Container, path: Path, problems: Problems): void {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  if (lifecycle) validateLifecycle(lifecycle, path.child('lifecycle'), problems);
  if (livenessProbe) {
    validateProbe(livenessProbe, path.child('livenessProbe'), problems);
    needsOneSuccess(livenessProbe, path.child('livenessProbe'), problems);
  }
  if (readinessProbe) {
    validateProbe(readinessProbe, path.child('readinessProbe'), problems);
    cannotEndPod(readinessProbe, path.child('readinessProbe'), problems);
  }
  if (startupProbe) {
    validateProbe(startupProbe, path.child('startupProbe'), problems);
    needsOneSuccess(startupProbe, path.child('startupProbe'), problems);
  }
}

function needsOneSuccess({ successThreshold }: Probe, path: Path, problems: Problems): void {
  if (successThreshold !== 1) problems.invalid(path.child('successThreshold'), successThreshold ?? 0, 'must be 1');
}

function cannotEndPod({ terminationGracePeriodSeconds: grace }: Probe, path: Path, problems: Problems): void {
  if (grace === undefined) return;
  problems.invalid(path.child('terminationGracePeriodSeconds'), grace, 'must not be set for readinessProbes');
}

function validateProbe(probe: Probe, path: Path, problems: Problems): void {
  validateHandler(probe, path, problems);
  nonNegative(problems, path, 'initialDelaySeconds', probe.initialDelaySeconds);
  nonNegative(problems, path, 'timeoutSeconds', probe.timeoutSeconds);
  nonNegative(problems, path, 'periodSeconds', probe.periodSeconds);
  nonNegative(problems, path, 'successThreshold', probe.successThreshold);
  nonNegative(problems, path, 'failureThreshold', probe.failureThreshold);
  positive(problems, path, 'terminationGracePeriodSeconds', probe.terminationGracePeriodSeconds);
}

function validateLifecycle({ postStart, preStop }: Lifecycle, path: Path, problems: Problems): void {
  if (postStart) validateHandler(postStart, path.child('postStart'), problems);
  if (preStop) validateHandler(preStop, path.child('preStop'), problems);
}

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** Exactly one handler: the first one counts, others are forbidden. */
function validateHandler(handler: ProbeHandler, path: Path, problems: Problems): void {
  const { exec, httpGet, tcpSocket, grpc } = handler;
  if (exec) required(problems, path.child('exec'), 'command', exec.command);
  else if (httpGet) validateHttpGet(httpGet, path.child('httpGet'), problems);
  else if (tcpSocket) formatted(problems, path.child('tcpSocket'), 'port', tcpSocket.port, portReference);
  else if (grpc) formatted(problems, path.child('grpc'), 'port', grpc.port, portNumber);
  else problems.required(path, 'must specify a handler type');
  let given = 0;
  for (const name of HANDLERS) {
    if (!handler[name]) continue;
    if (given > 0) problems.forbidden(path.child(name), 'may not specify more than 1 handler type');
    given++;
  }
}

function validateHttpGet(action: HTTPGetAction, path: Path, problems: Problems): void {
  required(problems, path, 'path', action.path);
  formatted(problems, path, 'port', action.port, portReference);
  for (const { name } of action.httpHeaders ?? []) formatted(problems, path, 'httpHeaders', name, httpHeaderName);
}
