import { OpaqueValue } from '../values/values.ts';
import { bool, type Library, member, opaqueParam, text } from './signature.ts';

/** What somebody would do: to a path, or to resources. */
export interface AccessQuestion {
  readonly verb: string;
  /** Undefined: whoever sent the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
  /** Undefined: it is about resources. */
  readonly path: string | undefined;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  /** For people; '' when there is nothing to say. */
  readonly reason: string;
  /** What kept the server from deciding; undefined when nothing did. */
  readonly error: string | undefined;
}

/** Decides whether something is allowed. It may throw, to have the evaluation begun again once it can tell. */
export type DecideAccess = (question: AccessQuestion) => AccessDecision;

/** A question that is still being put together. */
interface Asking {
  readonly decide: DecideAccess;
  readonly question: Omit<AccessQuestion, 'verb'>;
}

const NAMES = {
  authorizer: 'authorization.Authorizer',
  path: 'authorization.PathCheck',
  group: 'authorization.GroupCheck',
  resource: 'authorization.ResourceCheck',
  decision: 'authorization.Decision',
};

const authorizer = opaqueParam<Asking>(NAMES.authorizer);
const pathCheck = opaqueParam<Asking>(NAMES.path);
const groupCheck = opaqueParam<Asking>(NAMES.group);
const resourceCheck = opaqueParam<Asking>(NAMES.resource);
const decision = opaqueParam<AccessDecision>(NAMES.decision);

export const AUTHORIZER = authorizer.type;
export const RESOURCE_CHECK = resourceCheck.type;

/** What asking takes, as the original counts it: two questions are about what one expression may cost. */
const ASKING = { units: () => 350_000 };

const NOTHING: Omit<AccessQuestion, 'verb'> = {
  serviceAccount: undefined,
  path: undefined,
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};

const asking = (name: string, content: Asking): OpaqueValue<Asking> =>
  new OpaqueValue(name, content, JSON.stringify(content.question));

/** The value of `authorizer`. */
export const authorizerValue = (decide: DecideAccess): OpaqueValue =>
  asking(NAMES.authorizer, { decide, question: NOTHING });

/** The value of `authorizer.requestResource`: what the request itself is about. */
export const resourceCheckValue = (decide: DecideAccess, resource: Partial<AccessQuestion>): OpaqueValue =>
  asking(NAMES.resource, { decide, question: { ...NOTHING, ...resource } });

/** A question with a word more. */
const further =
  (name: string, field: 'path' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name') =>
  (_: unknown, { content }: OpaqueValue<Asking>, word: string): OpaqueValue =>
    asking(name, { ...content, question: { ...content.question, [field]: word } });

const ask = (_: unknown, { content }: OpaqueValue<Asking>, verb: string): OpaqueValue => {
  const decided = content.decide({ ...content.question, verb });
  return new OpaqueValue(NAMES.decision, decided, JSON.stringify(decided));
};

/** Asks whether somebody may do something: `authorizer.group('').resource('pods').check('create').allowed()`. */
export const authorizerLibrary: Library = {
  path: [member([authorizer, text], pathCheck, further(NAMES.path, 'path'))],
  group: [member([authorizer, text], groupCheck, further(NAMES.group, 'group'))],
  serviceAccount: [
    member([authorizer, text, text], authorizer, (_, { content }, namespace, name) =>
      asking(NAMES.authorizer, {
        ...content,
        question: { ...content.question, serviceAccount: { namespace, name } },
      }),
    ),
  ],
  resource: [member([groupCheck, text], resourceCheck, further(NAMES.resource, 'resource'))],
  subresource: [member([resourceCheck, text], resourceCheck, further(NAMES.resource, 'subresource'))],
  namespace: [member([resourceCheck, text], resourceCheck, further(NAMES.resource, 'namespace'))],
  name: [member([resourceCheck, text], resourceCheck, further(NAMES.resource, 'name'))],
  check: [member([pathCheck, text], decision, ask, ASKING), member([resourceCheck, text], decision, ask, ASKING)],
  allowed: [member([decision], bool, (_, { content }) => content.allowed)],
  reason: [member([decision], text, (_, { content }) => content.reason)],
  errored: [member([decision], bool, (_, { content }) => content.error !== undefined)],
  error: [member([decision], text, (_, { content }) => content.error ?? '')],
};
