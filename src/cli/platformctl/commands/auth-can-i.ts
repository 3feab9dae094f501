import type { AnyObject } from '../../../client/plane-client.ts';
import { optionalText } from '../../../settings/flag.ts';
import { compactRules, type Rule, resourceText } from '../access/rules.ts';
import { listText } from '../describe/texts.ts';
import { command } from '../frame/command.ts';
import { CommandError, SilentExit } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import { columnsText } from '../print/columns.ts';
import { CHOICE_FLAGS } from '../resources/selection.ts';

const RESOURCE_VERBS: ReadonlySet<string> = new Set([
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['use', 'bind', 'impersonate', '*', 'approve', 'sign', 'escalate', 'attest'],
]);
const PATH_VERBS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*']);

export const authCanI = command({
  usage: 'auth can-i VERB [TYPE | TYPE/NAME | /PATH]',
  about: 'Tells whether somebody may do something: prints yes or no, and ends with 0 or 1.',
  examples: [
    ['May I create pods anywhere?', 'auth can-i create pods --all-namespaces'],
    ['May somebody else read logs?', 'auth can-i get pods --subresource=log --as jane'],
    ['What may I do here?', 'auth can-i --list'],
  ],
  flags: {
    allNamespaces: CHOICE_FLAGS.allNamespaces,
    list: onOff('list', false, 'show everything that is allowed'),
    quiet: short('q', onOff('quiet', false, 'print nothing, and tell by the exit code')),
    subresource: optionalText('subresource', 'NAME', 'what is below the object, such as log'),
    noHeaders: onOff('no-headers', false, 'leave out the names of columns'),
  },
  async run({ args, flags, session }) {
    if (flags.list) {
      if (args.length > 0) throw new CommandError('list option must be specified with no arguments');
      await showAll(session, flags.noHeaders);
      return;
    }
    const [verb, what, ...more] = args;
    if (verb === undefined || what === undefined || more.length > 0) {
      const told =
        "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'platformctl auth can-i -h' for help and examples.";
      throw new CommandError(told);
    }
    const spec = await questionOf(session, verb, what, flags);
    const { allowed, reason, evaluationError } = await review(session, spec);
    const because = [reason, evaluationError].filter((text) => text).map((text) => ` - ${text}`);
    if (!flags.quiet) await write(session.io.stdout, allowed ? 'yes\n' : `no${because.join('')}\n`);
    if (!allowed) throw new SilentExit(1);
  },
});

interface CanIFlags {
  readonly allNamespaces: boolean;
  readonly quiet: boolean;
  readonly subresource: string | undefined;
}

async function questionOf(session: Session, verb: string, what: string, flags: CanIFlags): Promise<object> {
  const warn = async (text: string): Promise<void> => {
    if (!flags.quiet) await write(session.io.stderr, `Warning: ${text}\n\n`);
  };
  if (what.startsWith('/')) {
    if (flags.subresource !== undefined) {
      throw new CommandError('--subresource can not be used with NonResourceURL');
    }
    if (!PATH_VERBS.has(verb)) await warn(`verb '${verb}' is not a known verb`);
    return { nonResourceAttributes: { verb, path: what } };
  }
  const [type = '', ...rest] = what.split('/');
  const resources = await session.resources();
  const resource = type === '*' ? undefined : resources.find(type);
  const [plural = '', ...group] = type.split('.');
  if (!resource && type !== '*') {
    const inGroup = group.length === 0 ? '' : ` in group '${group.join('.')}'`;
    await warn(`the server doesn't have a resource type '${plural}'${inGroup}`);
  }
  if (!RESOURCE_VERBS.has(verb)) await warn(`verb '${verb}' is not a known verb`);
  const namespace = flags.allNamespaces ? '' : (await session.namespace()).name;
  if (resource && !resource.namespaced && namespace !== '') {
    const name = resource.group === '' ? resource.plural : `${resource.plural}' in group '${resource.group}`;
    await warn(
      resource.group === ''
        ? `resource '${name}' is not namespace scoped`
        : `resource '${resource.plural}' is not namespace scoped in group '${resource.group}'`,
    );
  }
  return {
    resourceAttributes: {
      namespace,
      verb,
      group: resource?.group ?? group.join('.'),
      ...(resource ? { version: '' } : {}),
      resource: resource?.plural ?? plural,
      subresource: flags.subresource ?? '',
      name: rest.join('/'),
    },
  };
}

interface ReviewStatus {
  readonly allowed: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

async function review(session: Session, spec: object): Promise<ReviewStatus> {
  const { status } = await ask<ReviewStatus>(session, 'SelfSubjectAccessReview', spec);
  return status;
}

interface RulesStatus {
  readonly resourceRules: readonly Rule[];
  readonly nonResourceRules: readonly Rule[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

async function showAll(session: Session, noHeaders: boolean): Promise<void> {
  const namespace = (await session.namespace()).name;
  const { status } = await ask<RulesStatus>(session, 'SelfSubjectRulesReview', { namespace });
  if (status.incomplete) {
    const why = status.evaluationError ? `: ${status.evaluationError}` : '';
    await write(session.io.stderr, `Warning: the list may be incomplete${why}\n`);
  }
  const rules = compactRules([...(status.resourceRules ?? []), ...(status.nonResourceRules ?? [])]);
  const rows = rules.map((rule) => [
    resourceText(rule),
    listText(rule.nonResourceURLs),
    listText(rule.resourceNames),
    listText(rule.verbs),
  ]);
  const header = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];
  await write(session.io.stdout, columnsText(noHeaders ? rows : [header, ...rows]));
}

async function ask<S>(session: Session, kind: string, spec: object): Promise<{ readonly status: S }> {
  const { authorization } = (await session.vocabulary()).groups;
  const resource = (await session.resources()).ofKind(`${authorization}/v1`, kind);
  const document = { kind, apiVersion: `${authorization}/v1`, spec };
  const answer = await (await session.client()).create<AnyObject>(resource, '', document);
  return answer as unknown as { readonly status: S };
}
