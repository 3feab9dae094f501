import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AnyObject } from '../../../client/plane-client.ts';
import { sameJson } from '../../../schema/same-json.ts';
import { type Flag, optionalText } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import type { Session } from '../frame/session.ts';
import { WRITE_FLAGS } from '../frame/write-flags.ts';
import { readManifests } from '../manifests/read-manifests.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { printOutcome } from '../print/print-objects.ts';
import { eachWritten, type Written } from '../resources/each-written.ts';
import { ObjectWrites } from '../resources/object-writes.ts';
import { patchedLocally } from '../resources/patched-locally.ts';
import { FILE_FLAGS, type SelectedObject, selectObjects } from '../resources/selection.ts';

const TYPES = ['json', 'merge', 'strategic'] as const;
type Type = (typeof TYPES)[number];

const type: Flag<Type> = {
  name: 'type',
  value: TYPES.join('|'),
  help: 'how the patch is to be read',
  fallback: 'strategic',
  read(given) {
    const chosen = TYPES.find((one) => one === given.toLowerCase());
    if (chosen) return chosen;
    throw new CommandError(`--type must be one of [${TYPES.join(' ')}], not ${JSON.stringify(given)}`);
  },
  expects: `one of ${TYPES.join(', ')}`,
  fits: (value) => TYPES.some((one) => one === value),
};

export const patch = command({
  usage: 'patch (-f FILE | TYPE NAME) [-p PATCH | --patch-file FILE]',
  about: 'Changes fields of objects by a strategic merge patch, a JSON merge patch or a JSON patch.',
  examples: [
    ['One field', `patch deployment web -p '{"spec":{"paused":true}}'`],
    ['By operations', `patch configmap a --type=json -p '[{"op":"remove","path":"/data/key"}]'`],
    ['The number of replicas', `patch deployment web --subresource=scale --type=merge -p '{"spec":{"replicas":2}}'`],
  ],
  flags: {
    ...FILE_FLAGS,
    ...WRITE_FLAGS,
    ...OUTPUT_FLAGS,
    type,
    patch: short('p', optionalText('patch', 'PATCH', 'the patch, in JSON or YAML')),
    patchFile: optionalText('patch-file', 'FILE', 'a file with the patch'),
    subresource: optionalText('subresource', 'NAME', 'what of the object to change, such as status or scale'),
    local: onOff('local', false, 'change what is in the file, and ask nobody'),
  },
  async run({ args, flags, session }) {
    const change = await patchIn(session, flags.patch, flags.patchFile);
    if (flags.local) {
      let count = 0;
      for await (const { object } of readManifests(flags, session.io)) {
        const changed = await patchedLocally(session, object as AnyObject, flags.type, change);
        await printOutcome(session, changed, patchedWord(object, changed), flags, { count: count++ });
      }
      return;
    }
    const objects = await selectObjects(session, { ...flags, args });
    const writes = await ObjectWrites.of(session, {
      fieldManager: flags.fieldManager ?? 'platformctl-patch',
      dryRun: flags.dryRun,
    });
    await eachWritten(session, objects, flags, 'patching', (object) =>
      patchOne(session, writes, object, flags, change),
    );
  },
});

interface PatchFlags {
  readonly type: Type;
  readonly dryRun: string;
  readonly subresource: string | undefined;
}

async function patchOne(
  session: Session,
  writes: ObjectWrites,
  { resource: kind, namespace, name }: SelectedObject,
  { type: how, dryRun, subresource = '' }: PatchFlags,
  change: unknown,
): Promise<Written> {
  const target = { kind, namespace, name, subresource };
  const before = await writes.get(target);
  const after =
    dryRun === 'client' ? await patchedLocally(session, before, how, change) : await writes.patch(target, how, change);
  return { object: after, done: patchedWord(before, after) };
}

const patchedWord = (before: object, after: object): string =>
  sameJson(before, after) ? 'patched (no change)' : 'patched';

async function patchIn({ io }: Session, text: string | undefined, file: string | undefined): Promise<unknown> {
  if (text === undefined && file === undefined) {
    throw new CommandError('must specify --patch or --patch-file containing the contents of the patch');
  }
  if (text !== undefined && file !== undefined) {
    throw new CommandError('cannot specify --patch and --patch-file together');
  }
  const content = text ?? (await readFile(resolve(io.cwd, file ?? ''), 'utf8'));
  const { parse } = await import('yaml');
  try {
    return parse(content, { version: '1.1', merge: true });
  } catch (error) {
    throw new CommandError(
      `unable to parse ${JSON.stringify(content)}: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
