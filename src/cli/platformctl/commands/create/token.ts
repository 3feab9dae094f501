import type { AnyObject } from '../../../../client/plane-client.ts';
import { duration, list, optionalChoice, optionalText } from '../../../../settings/flag.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printObject } from '../../print/print-objects.ts';

interface TokenRequest extends AnyObject {
  readonly status: { readonly token: string };
}

export const createToken = command({
  usage: 'create token NAME',
  about: 'Asks for a token of a service account, and prints it.',
  flags: {
    ...OUTPUT_FLAGS,
    audience: list('audience', 'NAMES', [], 'whom the token is to be shown to'),
    duration: duration('duration', 0, 'how long it is to be valid; the plane decides'),
    boundObjectKind: optionalChoice(
      'bound-object-kind',
      ['Pod', 'Secret', 'Node'],
      'the token ends with an object of this kind',
    ),
    boundObjectName: optionalText('bound-object-name', 'NAME', 'name of that object'),
    boundObjectUid: optionalText('bound-object-uid', 'UID', 'uid of that object'),
  },
  async run({ args, flags, session }) {
    const [name = ''] = args;
    if (args.length !== 1) {
      throw new CommandError(
        `exactly one NAME is required, got ${args.length}\nSee 'platformctl create token -h' for help and examples`,
      );
    }
    if (flags.boundObjectKind === undefined && (flags.boundObjectName ?? flags.boundObjectUid) !== undefined) {
      throw new CommandError(
        '--bound-object-name and --bound-object-uid can only be set if --bound-object-kind is provided',
      );
    }
    if (flags.boundObjectKind !== undefined && flags.boundObjectName === undefined) {
      throw new CommandError('--bound-object-name is required if --bound-object-kind is provided');
    }
    const { groups } = await session.vocabulary();
    const kind = (await session.resources()).ofKind('v1', 'ServiceAccount');
    const namespace = (await session.namespace()).name;
    const bound = {
      kind: flags.boundObjectKind,
      apiVersion: 'v1',
      name: flags.boundObjectName,
      uid: flags.boundObjectUid,
    };
    const answer = await (await session.client()).post<TokenRequest>(
      { kind, namespace, name, subresource: 'token' },
      {
        kind: 'TokenRequest',
        apiVersion: `${groups.authentication}/v1`,
        spec: {
          audiences: flags.audience,
          ...(flags.duration > 0 ? { expirationSeconds: Math.round(flags.duration / 1000) } : {}),
          ...(flags.boundObjectKind === undefined ? {} : { boundObjectRef: bound }),
        },
      },
    );
    if (asksForObjects(flags)) await printObject(session, answer, flags, 'given');
    else await write(session.io.stdout, `${answer.status.token}\n`);
  },
});
