import { forbidden, formatted, formattedIfSet, named, oneOf, required } from '../../../meta/field-rules.ts';
import { dns1123Label, noBacksteps, portName, portNumber, relativePath } from '../../../meta/formats.ts';
import type { HookContext } from '../../../registry/resource-type.ts';
import type { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { validateResourceRequirements } from '../resource-validation.ts';
import type { SoundVolumes } from '../volume/volume-validation.ts';
import type { Container, ContainerPort, VolumeDevice, VolumeMount } from './container.ts';
import { validateEnv, validateEnvFrom } from './env-validation.ts';
import type { EphemeralContainer } from './ephemeral-container.ts';
import type { PodSpec } from './pod-spec.ts';
import { validateContainerProbes } from './probe-validation.ts';
import { validateSecurityContext } from './security-context-validation.ts';

/** All containers of a pod, whose names are unique among all of them. */
export function validateAllContainers(
  { containers, initContainers, ephemeralContainers }: PodSpec,
  volumes: SoundVolumes,
  path: Path,
  problems: Problems,
  context: HookContext,
): void {
  const names = new Set<string>();
  const own = path.child('containers');
  if (!containers?.length) problems.required(own);
  containers?.forEach((container, at) => {
    const place = own.index(at);
    validateContainer(container, volumes, place, problems, context);
    validateUnique(container.name, names, place, problems);
    validateContainerProbes(container, place, problems);
  });
  validateHostPorts(containers ?? [], own, problems);
  initContainers?.forEach((container, at) => {
    const init = path.child('initContainers');
    validateContainer(container, volumes, init.index(at), problems, context);
    validateUnique(container.name, names, init.index(at), problems);
    // They run one after the other, so that each has the ports of the host for itself.
    validateHostPorts([container], init, problems);
    validateInitContainer(container, init.index(at), problems);
  });
  if (!ephemeralContainers) return;
  const targets = new Set(names);
  ephemeralContainers.forEach((container, at) => {
    const place = path.child('ephemeralContainers').index(at);
    validateContainer(container, volumes, place, problems, context);
    validateImageSpelling(container, place, problems);
    validateUnique(container.name, names, place, problems);
    validateEphemeralContainer(container, targets, place, problems);
  });
}

function validateUnique(name: string, names: Set<string>, path: Path, problems: Problems): void {
  if (names.has(name)) problems.duplicate(path.child('name'), name);
  else if (name !== '') names.add(name);
}

/** The rules of every container, whatever it is for. */
function validateContainer(
  container: Container,
  volumes: SoundVolumes,
  path: Path,
  problems: Problems,
  context: HookContext,
): void {
  named(problems, path, 'name', container.name, dns1123Label);
  required(problems, path, 'image', container.image);
  const { ports, env, envFrom, volumeMounts, volumeDevices, securityContext } = container;
  if (ports) validatePorts(ports, path.child('ports'), problems);
  if (env) validateEnv(env, path.child('env'), problems);
  if (envFrom) validateEnvFrom(envFrom, path.child('envFrom'), problems);
  if (volumeMounts) validateMounts(volumeMounts, container, volumes, path.child('volumeMounts'), problems);
  if (volumeDevices) validateDevices(volumeDevices, container, volumes, path.child('volumeDevices'), problems);
  validateResourceRequirements(container.resources, path.child('resources'), problems, context);
  if (securityContext) validateSecurityContext(securityContext, path.child('securityContext'), problems, context);
}

/** Templates may hold placeholders for images; pods may not. */
export function validateImageSpelling({ image = '' }: Container, path: Path, problems: Problems): void {
  if (image.trim().length === image.length) return;
  problems.invalid(path.child('image'), image, 'must not have leading or trailing whitespace');
}

function validateInitContainer(container: Container, path: Path, problems: Problems): void {
  const why = 'may not be set for init containers';
  forbidden(problems, path, 'lifecycle', container.lifecycle, why);
  forbidden(problems, path, 'livenessProbe', container.livenessProbe, why);
  forbidden(problems, path, 'readinessProbe', container.readinessProbe, why);
  forbidden(problems, path, 'startupProbe', container.startupProbe, why);
}

/** Helpers for a while: nothing that makes a container part of what the pod is for. */
function validateEphemeralContainer(
  container: EphemeralContainer,
  targets: ReadonlySet<string>,
  path: Path,
  problems: Problems,
): void {
  const why = 'cannot be set for an Ephemeral Container';
  const { targetContainerName, resources } = container;
  if (targetContainerName && !targets.has(targetContainerName)) {
    problems.notFound(path.child('targetContainerName'), targetContainerName);
  }
  forbidden(problems, path, 'ports', container.ports, why);
  forbidden(problems, path, 'resources', resources.limits ?? resources.requests, why);
  forbidden(problems, path, 'livenessProbe', container.livenessProbe, why);
  forbidden(problems, path, 'readinessProbe', container.readinessProbe, why);
  forbidden(problems, path, 'startupProbe', container.startupProbe, why);
  forbidden(problems, path, 'lifecycle', container.lifecycle, why);
  container.volumeMounts?.forEach(({ subPath, subPathExpr }, at) => {
    forbidden(problems, path.child('volumeMounts').index(at), 'subPath', subPath, why);
    forbidden(problems, path.child('volumeMounts').index(at), 'subPathExpr', subPathExpr, why);
  });
}

function validatePorts(ports: readonly ContainerPort[], path: Path, problems: Problems): void {
  const names = new Set<string>();
  ports.forEach(({ name, containerPort, hostPort }, at) => {
    const port = path.index(at);
    if (name && formatted(problems, port, 'name', name, portName)) {
      if (names.has(name)) problems.duplicate(port.child('name'), name);
      names.add(name);
    }
    if (required(problems, port, 'containerPort', containerPort)) {
      formatted(problems, port, 'containerPort', containerPort, portNumber);
    }
    if (hostPort) formatted(problems, port, 'hostPort', hostPort, portNumber);
  });
}

/** A port of the host can be had once. */
function validateHostPorts(containers: readonly Container[], path: Path, problems: Problems): void {
  const taken = new Set<string>();
  containers.forEach(({ ports }, at) => {
    ports?.forEach(({ protocol = '', hostIP = '', hostPort }, portAt) => {
      if (!hostPort) return;
      const port = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(port)) problems.duplicate(path.index(at).child('ports').index(portAt).child('hostPort'), port);
      taken.add(port);
    });
  });
}

const NOTHING: ReadonlySet<string> = new Set();

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

function validateMounts(
  mounts: readonly VolumeMount[],
  container: Container,
  volumes: SoundVolumes,
  path: Path,
  problems: Problems,
): void {
  const devices = container.volumeDevices;
  const deviceNames = devices ? new Set(devices.map(({ name }) => name)) : NOTHING;
  const devicePaths = devices ? new Set(devices.map(({ devicePath }) => devicePath)) : NOTHING;
  const points = new Set<string>();
  mounts.forEach((mount, at) => {
    const { name, mountPath } = mount;
    const place = path.index(at);
    required(problems, place, 'name', name);
    if (!volumes.has(name)) problems.notFound(place.child('name'), name);
    required(problems, place, 'mountPath', mountPath);
    if (points.has(mountPath)) problems.invalid(place.child('mountPath'), mountPath, 'must be unique');
    points.add(mountPath);
    if (deviceNames.has(name)) {
      problems.invalid(place.child('name'), name, 'must not already exist in volumeDevices');
    }
    if (devicePaths.has(mountPath)) {
      problems.invalid(place.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices');
    }
    // Clients know the next three without an index.
    formattedIfSet(problems, path, 'subPath', mount.subPath, relativePath);
    formattedIfSet(problems, path, 'subPathExpr', mount.subPathExpr, relativePath);
    if (mount.mountPropagation !== undefined) validatePropagation(mount.mountPropagation, container, path, problems);
    if (mount.subPath && mount.subPathExpr) {
      problems.invalid(place.child('subPathExpr'), mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive');
    }
  });
}

function validatePropagation(mode: string, { securityContext }: Container, path: Path, problems: Problems): void {
  oneOf(problems, path, 'mountPropagation', mode, PROPAGATIONS);
  if (mode !== 'Bidirectional' || securityContext?.privileged) return;
  problems.forbidden(
    path.child('mountPropagation'),
    'Bidirectional mount propagation is available only to privileged containers',
  );
}

function validateDevices(
  devices: readonly VolumeDevice[],
  { volumeMounts: mounts = [] }: Container,
  volumes: SoundVolumes,
  path: Path,
  problems: Problems,
): void {
  const mounted = new Set(mounts.map(({ name }) => name));
  const mountPaths = new Set(mounts.map(({ mountPath }) => mountPath));
  const names = new Set<string>();
  const paths = new Set<string>();
  devices.forEach(({ name, devicePath }, at) => {
    const place = path.index(at);
    const bad = (field: string, value: string, why: string): void => problems.invalid(place.child(field), value, why);
    required(problems, place, 'name', name);
    if (names.has(name)) bad('name', name, 'must be unique');
    const volume = volumes.get(name);
    if (!volume) problems.notFound(place.child('name'), name);
    else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
      bad('name', name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    }
    required(problems, place, 'devicePath', devicePath);
    if (paths.has(devicePath)) bad('devicePath', devicePath, 'must be unique');
    if (noBacksteps(devicePath) === undefined) paths.add(devicePath);
    else bad('devicePath', devicePath, "can not contain backsteps ('..')");
    if (mounted.has(name)) bad('name', name, 'must not already exist in volumeMounts');
    if (mountPaths.has(devicePath)) {
      bad('devicePath', devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  });
}
