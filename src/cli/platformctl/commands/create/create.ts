import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { refusalIn } from '../../../../client/plane-client.ts';
import { optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff, short } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import { EXPLAIN_FLAGS, fieldValidation, outcomeWord } from '../../frame/write-flags.ts';
import { withLastApplied } from '../../manifests/last-applied.ts';
import { readAll } from '../../manifests/read-manifests.ts';
import { eachWritten } from '../../resources/each-written.ts';
import { ObjectWrites, whileDoing } from '../../resources/object-writes.ts';
import { documentOf, FILE_FLAGS, refuseOverlays, selectObjects } from '../../resources/selection.ts';
import { GENERATOR_FLAGS } from './generating.ts';

export const create = command({
  usage: 'create -f FILE',
  about: 'Creates objects from files, folders, addresses or standard input.',
  examples: [
    ['From a file', 'create -f pod.yaml'],
    ['From what another program prints', 'create -f -'],
    ['What would be created', 'create -f pod.yaml --dry-run=server -o yaml'],
  ],
  flags: {
    ...GENERATOR_FLAGS,
    ...FILE_FLAGS,
    ...EXPLAIN_FLAGS,
    edit: onOff('edit', false, 'edit the objects before they are created'),
    raw: optionalText('raw', 'PATH', 'send the file as it is to this path of the plane'),
    selector: short('l', optionalText('selector', 'SELECTOR', 'only those whose labels match')),
  },
  async run({ args, flags, session }) {
    if (args.length > 0) {
      throw new CommandError(`Unexpected args: [${args.join(' ')}]\nSee 'platformctl create -h' for help and examples`);
    }
    refuseOverlays(flags.kustomize);
    if (flags.filename.length === 0) throw new CommandError('must specify one of -f and -k');
    if (flags.raw !== undefined) return sendRaw(session, flags.raw, flags.filename);
    const objects = await selectObjects(session, { ...flags, args });
    if (flags.explainAdmission) {
      const { explainWrites } = await import('../admission/explain-writes.ts');
      return explainWrites(session, objects, flags, 'platformctl-create', (writes, object) =>
        writes.create(object.resource, object.namespace, documentOf(object)),
      );
    }
    const vocabulary = await session.vocabulary();
    const writes = await ObjectWrites.of(session, {
      fieldManager: flags.fieldManager ?? 'platformctl-create',
      dryRun: flags.dryRun,
      fieldValidation: fieldValidation(flags),
    });
    if (flags.edit) {
      const { editBeforeCreation } = await import('../edit/edit-before-creation.ts');
      return editBeforeCreation(session, writes, objects, flags.output === 'json' ? 'json' : 'yaml');
    }
    const written = await eachWritten(session, objects, flags, 'creating', async (object) => {
      const written = documentOf(object);
      const document = flags.saveConfig ? withLastApplied(written, vocabulary) : written;
      const created =
        flags.dryRun === 'client'
          ? document
          : await writes
              .create(object.resource, object.namespace, document)
              .catch(whileDoing('creating', object.manifest?.source ?? ''));
      return { object: created, done: outcomeWord('created', flags.dryRun) };
    });
    if (written.length === 0) throw new CommandError('no objects passed to create');
  },
});

/** Sends a file as it is. */
async function sendRaw(session: Session, target: string, files: readonly string[]): Promise<void> {
  const [file = ''] = files;
  if (files.length !== 1) throw new CommandError('--raw can only use a single local file or stdin');
  const body = file === '-' ? await readAll(session.io.stdin) : await readFile(resolve(session.io.cwd, file), 'utf8');
  const answer = await (await session.send())({ method: 'POST', target, body });
  if (answer.status >= 400) throw refusalIn(answer.status, JSON.parse(answer.body.toString()));
  await write(session.io.stdout, answer.body);
}
