import { type AnyObject, isRefusal } from '../../../client/plane-client.ts';
import { apiVersionOfKind } from '../../../client/served-kind.ts';
import { listText, sortedEntries } from '../describe/texts.ts';
import { command } from '../frame/command.ts';
import { CommandError } from '../frame/failure.ts';
import { write } from '../frame/io.ts';
import { columnsText } from '../print/columns.ts';
import { asksForObjects, OUTPUT_FLAGS } from '../print/output-flags.ts';
import { printObject } from '../print/print-objects.ts';

const KIND = 'SelfSubjectReview';

interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const authWhoami = command({
  usage: 'auth whoami',
  about: 'Shows who the plane takes the caller for: name, groups and what else it knows.',
  flags: OUTPUT_FLAGS,
  async run({ flags, session }) {
    const { authentication } = (await session.vocabulary()).groups;
    const resources = await session.resources();
    const resource = resources.all.find(({ group, kind }) => group === authentication && kind === KIND);
    if (!resource) {
      throw new CommandError(
        `the selfsubjectreviews API is not enabled in the cluster\nenable APISelfSubjectReview feature gate and ${authentication}/v1alpha1 or ${authentication}/v1beta1 API`,
      );
    }
    const document = { kind: KIND, apiVersion: apiVersionOfKind(resource) };
    const answer = await (await session.client()).create<AnyObject>(resource, '', document).catch((error: unknown) => {
      if (!isRefusal(error, 'Forbidden')) throw error;
      throw new CommandError(
        'the selfsubjectreviews API is not enabled in the cluster or you do not have permission to call it',
      );
    });
    if (asksForObjects(flags)) return printObject(session, answer, flags, 'given');
    const { userInfo = {} } = (answer as unknown as { readonly status: { readonly userInfo?: UserInfo } }).status;
    const rows = [
      ['ATTRIBUTE', 'VALUE'],
      ...(userInfo.username ? [['Username', userInfo.username]] : []),
      ...(userInfo.uid ? [['UID', userInfo.uid]] : []),
      ...((userInfo.groups ?? []).length > 0 ? [['Groups', listText(userInfo.groups)]] : []),
      ...sortedEntries(userInfo.extra).map(([key, values]) => [`Extra: ${key}`, listText(values)]),
    ];
    await write(session.io.stdout, columnsText(rows));
  },
});
