import type { Container } from '../../../kinds/core/pod/container.ts';
import type { ContainerState, ContainerStatus } from '../../../kinds/core/pod/container-status.ts';
import type { Pod } from '../../../kinds/core/pod/pod.ts';
import type { Probe } from '../../../kinds/core/pod/probe.ts';
import type { ResourceRequirements } from '../../../kinds/core/pod/resource-requirements.ts';
import { hostPort } from '../../../kinds/printing.ts';
import { writeEnvironment, writeEnvironmentSources } from './container-environment.ts';
import type { Sheet } from './sheet.ts';
import { byText, listText, momentText, sortedEntries, yesNo } from './texts.ts';

const LEVEL = 2;

/** Containers of a pod with what has become of them, or of a template where no pod is given. */
export function writeContainers(
  sheet: Sheet,
  title: string,
  containers: readonly Container[] | null | undefined,
  statuses: readonly ContainerStatus[] | null | undefined,
  pod?: Pod,
): void {
  const indented = pod === undefined;
  const listed = containers ?? [];
  sheet.line(indented ? 1 : 0, `${title}:${listed.length === 0 ? ' <none>' : ''}`);
  const byName = new Map((statuses ?? []).map((status) => [status.name, status]));
  for (const container of listed) {
    sheet.line(1, `${indented ? ' ' : ''}${container.name}:`);
    writeContainer(sheet, container, byName.get(container.name), pod);
  }
}

function writeContainer(sheet: Sheet, container: Container, status: ContainerStatus | undefined, pod?: Pod): void {
  if (status) sheet.field('Container ID', status.containerID ?? '', LEVEL);
  sheet.field('Image', container.image ?? '', LEVEL);
  if (status) sheet.field('Image ID', status.imageID, LEVEL);
  writePorts(sheet, container);
  const seccomp = container.securityContext?.seccompProfile;
  if (seccomp) {
    sheet.field('SeccompProfile', seccomp.type, LEVEL);
    if (seccomp.type === 'Localhost') sheet.field('LocalhostProfile', seccomp.localhostProfile ?? '', LEVEL + 1);
  }
  writeWords(sheet, 'Command', container.command);
  writeWords(sheet, 'Args', container.args);
  if (status) writeState(sheet, status);
  writeResources(sheet, container.resources, LEVEL);
  for (const [name, probe] of [
    ['Liveness', container.livenessProbe],
    ['Readiness', container.readinessProbe],
    ['Startup', container.startupProbe],
  ] as const) {
    if (probe) sheet.field(name, probeText(probe), LEVEL);
  }
  writeEnvironmentSources(sheet, container);
  writeEnvironment(sheet, container, pod);
  writeMounts(sheet, container);
}

function writePorts(sheet: Sheet, { ports }: Container): void {
  const open = (ports ?? []).map(({ containerPort, protocol }) => `${containerPort}/${protocol ?? ''}`);
  const onHost = (ports ?? []).map(({ hostPort: port, protocol }) => `${port ?? 0}/${protocol ?? ''}`);
  const several = open.length > 1 ? 's' : '';
  sheet.field(`Port${several}`, open.join(', ') || '<none>', LEVEL);
  sheet.field(`Host Port${several}`, onHost.join(', ') || '<none>', LEVEL);
}

function writeWords(sheet: Sheet, title: string, words: readonly string[] | null | undefined): void {
  if (!words || words.length === 0) return;
  sheet.line(LEVEL, `${title}:`);
  for (const line of words.flatMap((word) => word.split('\n'))) sheet.line(LEVEL + 1, line);
}

function writeState(sheet: Sheet, { state, lastState, ready, restartCount }: ContainerStatus): void {
  writeOneState(sheet, 'State', state);
  if (lastState?.terminated) writeOneState(sheet, 'Last State', lastState);
  sheet.field('Ready', yesNo(ready), LEVEL);
  sheet.field('Restart Count', restartCount, LEVEL);
}

function writeOneState(sheet: Sheet, title: string, state: ContainerState | undefined): void {
  const { running, waiting, terminated } = state ?? {};
  if (running) {
    sheet.field(title, 'Running', LEVEL);
    sheet.field('Started', momentText(running.startedAt), LEVEL + 1);
  } else if (waiting || !terminated) {
    sheet.field(title, 'Waiting', LEVEL);
    if (waiting?.reason) sheet.field('Reason', waiting.reason, LEVEL + 1);
  } else {
    sheet.field(title, 'Terminated', LEVEL);
    if (terminated.reason) sheet.field('Reason', terminated.reason, LEVEL + 1);
    if (terminated.message) sheet.field('Message', terminated.message, LEVEL + 1);
    sheet.field('Exit Code', terminated.exitCode, LEVEL + 1);
    if ((terminated.signal ?? 0) > 0) sheet.field('Signal', terminated.signal ?? 0, LEVEL + 1);
    sheet.field('Started', momentText(terminated.startedAt), LEVEL + 1);
    sheet.field('Finished', momentText(terminated.finishedAt), LEVEL + 1);
  }
}

/** What something may use at most, and what it asks for. */
export function writeResources(sheet: Sheet, resources: ResourceRequirements | undefined, level: number): void {
  for (const [title, amounts] of [
    ['Limits', resources?.limits],
    ['Requests', resources?.requests],
  ] as const) {
    const entries = sortedEntries(amounts);
    if (entries.length > 0) sheet.line(level, `${title}:`);
    for (const [name, amount] of entries) sheet.field(name, amount, level + 1);
  }
}

/** `http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3`. */
export function probeText(probe: Probe): string {
  const { initialDelaySeconds, timeoutSeconds, periodSeconds, successThreshold, failureThreshold } = probe;
  const times = `delay=${initialDelaySeconds ?? 0}s timeout=${timeoutSeconds ?? 0}s period=${periodSeconds ?? 0}s`;
  const rest = `${times} #success=${successThreshold ?? 0} #failure=${failureThreshold ?? 0}`;
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (exec) return `exec ${listText(exec.command)} ${rest}`;
  if (httpGet) return `http-get ${urlText(httpGet)} ${rest}`;
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port} ${rest}`;
  if (grpc) return `grpc <pod>:${grpc.port} ${grpc.service ?? ''} ${rest}`;
  return `unknown ${rest}`;
}

function urlText({ scheme = '', host = '', port, path = '' }: NonNullable<Probe['httpGet']>): string {
  const at = `${host.includes(':') ? hostPort(host, Number(port)) : `${host}:${port}`}`;
  const slash = path !== '' && !path.startsWith('/') ? '/' : '';
  return `${scheme === '' ? '' : `${scheme.toLowerCase()}:`}//${at}${slash}${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`;
}

function writeMounts(sheet: Sheet, { volumeMounts, volumeDevices }: Container): void {
  const mounts = [...(volumeMounts ?? [])].sort((a, b) => byText(a.mountPath, b.mountPath));
  if (mounts.length === 0) sheet.field('Mounts', '<none>', LEVEL);
  else sheet.line(LEVEL, 'Mounts:');
  for (const { mountPath, name, readOnly, subPath } of mounts) {
    const how = [readOnly ? 'ro' : 'rw', ...(subPath ? [`path=${JSON.stringify(subPath)}`] : [])];
    sheet.line(LEVEL + 1, `${mountPath} from ${name} (${how.join(',')})`);
  }
  const devices = [...(volumeDevices ?? [])].sort((a, b) => byText(a.devicePath, b.devicePath));
  if (devices.length === 0) return;
  if (mounts.length === 0) sheet.field('Devices', '<none>', LEVEL);
  else sheet.line(LEVEL, 'Devices:');
  for (const { devicePath, name } of devices) sheet.line(LEVEL + 1, `${devicePath} from ${name}`);
}
