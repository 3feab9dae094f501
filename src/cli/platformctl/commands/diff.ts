import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyObject } from '../../../client/plane-client.ts';
import { integer, list, optionalText } from '../../../settings/flag.ts';
import { vocabularies } from '../../../vocabulary/vocabulary.ts';
import { command } from '../frame/command.ts';
import { CommandError, SilentExit } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { type Io, write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { sideBySide } from '../frame/side-by-side.ts';
import { WRITE_FLAGS } from '../frame/write-flags.ts';
import { withoutManagedFields } from '../print/managed-fields.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { yamlText } from '../print/yaml-text.ts';
import { ObjectWrites } from '../resources/object-writes.ts';
import { CHOICE_FLAGS, documentOf, FILE_FLAGS, type SelectedObject, selectObjects } from '../resources/selection.ts';
import { diffRevisions } from './past/revisions-diff.ts';

/** Whatever goes wrong: 1 says that there are differences. */
const FAILED = 2;
const AT_ONCE = 8;

export const diff = command({
  usage: 'diff (-f FILE | TYPE/NAME --revision=A[,B])',
  about:
    'Shows what apply would change. The exit code is 0 where nothing differs, 1 where something does, and more when it could not be found out. PLATFORMCTL_EXTERNAL_DIFF (KUBECTL_EXTERNAL_DIFF) names a program that compares two folders.',
  flags: {
    ...FILE_FLAGS,
    output: OUTPUT_FLAGS.output,
    revision: optionalText('revision', 'A[,B]', 'compare two versions of an object, or one with how it is now'),
    fieldManager: WRITE_FLAGS.fieldManager,
    selector: CHOICE_FLAGS.selector,
    serverSide: onOff('server-side', true, 'compare with what the plane would merge'),
    clientSide: onOff('client-side', false, 'compare with what would be merged here'),
    forceConflicts: onOff('force-conflicts', false, 'as if fields that others manage were taken over'),
    showManagedFields: onOff('show-managed-fields', false, 'compare managedFields too'),
    concurrency: integer('concurrency', 1, 64, AT_ONCE, 'objects that are asked for at once'),
    prune: onOff('prune', false, 'also show objects that would be pruned'),
    pruneAllowlist: list('prune-allowlist', 'GROUP/VERSION/KIND', [], 'kinds that would be pruned'),
  },
  async run({ args, flags, session }) {
    try {
      const { revision } = flags;
      if (revision !== undefined) {
        if (await diffRevisions(session, args, { ...flags, revision })) throw new SilentExit(1);
        return;
      }
      if (flags.filename.length === 0 && flags.kustomize === undefined)
        throw new CommandError('must specify one of -f and -k');
      if (flags.prune) throw new CommandError('--prune is not done here: see apply --prune --dry-run=server');
      const objects = await selectObjects(session, { ...flags, args });
      const versions = await comparedVersions(session, objects, flags);
      const code = await compareVersions(session.io, versions);
      if (code > 0) throw new SilentExit(code);
    } catch (error) {
      if (error instanceof SilentExit) throw error;
      if (error instanceof CommandError) throw new CommandError(error.message, FAILED);
      const { failureText } = await import('../frame/failure.ts');
      await write(session.io.stderr, failureText(error, 'platformctl', 'diff'));
      throw new SilentExit(FAILED);
    }
  },
});

/** An object as it is, and as it would be; '' where there is none. */
interface Versions {
  readonly file: string;
  readonly live: string;
  readonly merged: string;
}

interface DiffFlags {
  readonly fieldManager: string | undefined;
  readonly serverSide: boolean;
  readonly clientSide: boolean;
  readonly forceConflicts: boolean;
  readonly showManagedFields: boolean;
  readonly concurrency: number;
}

async function comparedVersions(
  session: Session,
  objects: readonly SelectedObject[],
  flags: DiffFlags,
): Promise<Versions[]> {
  const isClientSide = flags.clientSide || !flags.serverSide;
  const writes = await ObjectWrites.of(session, {
    fieldManager: flags.fieldManager ?? (isClientSide ? 'platformctl-client-side-apply' : 'platformctl'),
    dryRun: 'server',
    fieldValidation: 'Warn',
  });
  const merge = isClientSide ? await clientSideMerge(session, writes) : serverSideMerge(writes, flags.forceConflicts);
  const shown = (object: AnyObject | undefined): string => {
    if (!object) return '';
    // The versions of what is stored, and of what would be, are never the same.
    const { resourceVersion: _, generation: _generation, ...metadata } = object.metadata;
    const plain = { ...object, metadata } as AnyObject;
    return yamlText(flags.showManagedFields ? plain : withoutManagedFields(plain));
  };
  const compared: Versions[] = [];
  const work = async (object: SelectedObject): Promise<Versions> => {
    const { resource: kind, namespace, name } = object;
    const live = await writes.find({ kind, namespace, name });
    const merged = await merge(object, live);
    const version = kind.group === '' ? kind.version : `${kind.group}.${kind.version}`;
    return { file: `${version}.${kind.kind}.${namespace}.${name}`, live: shown(live), merged: shown(merged) };
  };
  for await (const outcome of sideBySide(objects, flags.concurrency, work)) {
    if ('failure' in outcome) throw outcome.failure;
    compared.push(outcome.value);
  }
  return compared;
}

type Merge = (object: SelectedObject, live: AnyObject | undefined) => Promise<AnyObject>;

const serverSideMerge =
  (writes: ObjectWrites, force: boolean): Merge =>
  ({ resource: kind, namespace, name, ...object }) =>
    writes.apply({ kind, namespace, name }, documentOf({ resource: kind, namespace, name, ...object }), force);

async function clientSideMerge(session: Session, writes: ObjectWrites): Promise<Merge> {
  const [{ MergePlans }, { threeWayDifference }, { lastApplied }] = await Promise.all([
    import('../resources/merge-plans.ts'),
    import('../../../patch/strategic-difference.ts'),
    import('../manifests/last-applied.ts'),
  ]);
  const vocabulary = await session.vocabulary();
  const plans = new MergePlans(await session.client(), vocabulary);
  return async (object, live) => {
    const { resource: kind, namespace, name } = object;
    const wanted = documentOf(object);
    if (!live) return writes.create(kind, namespace, wanted);
    const before = JSON.parse(lastApplied(live, vocabulary) ?? '{}');
    const plan = await plans.planOf(kind);
    const patch = threeWayDifference(before, wanted as never, live as never, plan);
    return writes.patch({ kind, namespace, name }, plan ? 'strategic' : 'merge', patch);
  };
}

/** Has a program compare two folders, and gives its exit code. */
async function compareVersions(io: Io, versions: readonly Versions[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'platformctl-diff-'));
  try {
    const [live, merged] = [join(folder, 'LIVE'), join(folder, 'MERGED')];
    await Promise.all([mkdir(live), mkdir(merged)]);
    for (const version of versions) {
      await writeFile(join(live, version.file), version.live, { mode: 0o600 });
      await writeFile(join(merged, version.file), version.merged, { mode: 0o600 });
    }
    return await runProgram(io, live, merged);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Words of the named program that a shell would take for more than words are left out. */
function programOf(env: Io['env']): string[] {
  const named = Object.values(vocabularies).map(({ environment }) => env[environment.externalDiff]);
  const chosen = named.find((name) => name) ?? 'diff -u -N';
  return chosen.split(/\s+/).filter((word) => /^[A-Za-z0-9./_=+-]+$/.test(word));
}

function runProgram(io: Io, live: string, merged: string): Promise<number> {
  const [program = 'diff', ...words] = programOf(io.env);
  const child = spawn(program, [...words, live, merged], {
    cwd: io.cwd,
    env: { ...process.env, ...io.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (part: Buffer) => io.stdout.write(part));
  child.stderr.on('data', (part: Buffer) => io.stderr.write(part));
  return new Promise((resolve, reject) => {
    child.once('error', () =>
      reject(new CommandError(`failed to run "${program}": executable file not found in $PATH`)),
    );
    child.once('close', (code) => resolve(code ?? FAILED));
  });
}
