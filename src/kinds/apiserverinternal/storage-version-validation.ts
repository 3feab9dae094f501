import { distinct, required } from '../../meta/field-rules.ts';
import { dns1035Label } from '../../meta/formats.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { ServerStorageVersion, StorageVersion } from './storage-version.ts';

const STATUS = Path.of('status');
const SERVERS = STATUS.child('storageVersions');

/** It is named after what it is about: a group, then a resource of it. */
export function validateStorageVersion({ metadata }: StorageVersion, problems: Problems): void {
  const { name = '' } = metadata;
  const dot = name.lastIndexOf('.');
  if (dot > 0 && dns1035Label(name.slice(dot + 1)) === undefined) return;
  problems.invalid('metadata.name', name, 'must be a group and a resource with a dot between them');
}

/** What the servers say of themselves must fit together. */
export function validateStorageVersionStatus(
  { status }: StorageVersion,
  _old: StorageVersion,
  problems: Problems,
): void {
  const servers = status.storageVersions ?? [];
  distinct(
    problems,
    SERVERS,
    'apiServerID',
    servers.map(({ apiServerID }) => apiServerID),
  );
  servers.forEach((server, at) => {
    validateServer(server, SERVERS.index(at), problems);
  });
  validateCommon(servers, status.commonEncodingVersion, problems);
}

function validateServer(server: ServerStorageVersion, path: Path, problems: Problems): void {
  const { apiServerID, encodingVersion = '', decodableVersions } = server;
  required(problems, path, 'apiServerID', apiServerID);
  if (decodableVersions?.includes(encodingVersion)) return;
  problems.invalid(path.child('decodableVersions'), decodableVersions, `must include ${encodingVersion}`);
}

/** The version that all write is named if there is one, and only then. */
function validateCommon(servers: readonly ServerStorageVersion[], named: string | undefined, problems: Problems): void {
  const written = new Set(servers.map(({ encodingVersion = '' }) => encodingVersion));
  const common = written.size === 1 ? [...written][0] : undefined;
  if (named === common) return;
  const rule = common === undefined ? 'must be unset, as servers do not agree' : `must be ${common}`;
  problems.invalid(STATUS.child('commonEncodingVersion'), named, rule);
}
