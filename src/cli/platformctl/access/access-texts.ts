import type { AccessGrant, GrantHolder } from '../../../kinds/explain/access-grant.ts';
import type { AccessStory, NearRule } from '../../../kinds/explain/access-story.ts';
import type { Io } from '../frame/io.ts';
import { type Color, colored, wantsColors } from '../print/colors.ts';
import { yamlText } from '../print/yaml-text.ts';
import type { Rule } from './rules.ts';

/** Puts a colour on a text, where colours are wanted. */
export type Tint = (color: Color, text: string) => string;

export const tintFor = (flag: 'auto' | 'always' | 'never', io: Io): Tint =>
  wantsColors(flag, io) ? colored : (_color, text) => text;

/** `User alice`, `ServiceAccount red/bot`. */
export const holderText = ({ kind, namespace = '', name = '' }: GrantHolder): string =>
  kind === 'Everyone' ? 'everyone' : `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;

/** `RoleBinding red/readers`. */
const placeText = ({ kind, namespace = '', name }: NonNullable<AccessGrant['binding']>): string =>
  `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;

const words = (values: readonly string[] | null | undefined): string => (values ?? []).join(', ');

/** `get, list on pods, pods/log`: a rule in a line. */
export function ruleText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): string {
  const groups = (apiGroups ?? []).filter((group) => group !== '');
  const parts = [
    ...((resources ?? []).length > 0 ? [words(resources)] : []),
    ...(groups.length > 0 ? [`in ${words(groups)}`] : []),
    ...((resourceNames ?? []).length > 0 ? [`named ${words(resourceNames)}`] : []),
    ...((nonResourceURLs ?? []).length > 0 ? [words(nonResourceURLs)] : []),
  ];
  return `${words(verbs)} on ${parts.join(' ')}`;
}

/** By what somebody is allowed something, a line each. */
export function grantLines({ mode, binding, role, rules, omittedRules = 0, condition }: AccessGrant): string[] {
  const source = binding ? `${placeText(binding)}${role ? ` of ${placeText(role)}` : ''}` : mode;
  const more = omittedRules > 0 ? [`  and ${omittedRules} more rules`] : [];
  const limit = condition ? [`  if ${condition}`] : [];
  return [`by ${source}`, ...(rules ?? []).map((rule) => `  ${ruleText(rule)}`), ...more, ...limit];
}

const LACKS: Readonly<Record<string, string>> = {
  Verb: 'the verb',
  APIGroup: 'the API group',
  Resource: 'the resource',
  Subresource: 'the subresource',
  Name: 'the name of the object',
  Namespace: 'the namespace',
  Path: 'the path',
};

function nearLines({ holder, binding, role, rule, lacks }: NearRule, tint: Tint): string[] {
  const missing = (lacks ?? []).map((lack) => LACKS[lack] ?? lack).join(' and ');
  const source = [...(role ? [placeText(role)] : []), ...(binding ? [`by ${placeText(binding)}`] : [])].join(' ');
  return [`${ruleText(rule)}: ${tint('yellow', `lacks ${missing}`)}`, `  ${source} as ${holderText(holder)}`];
}

const section = (title: string, lines: readonly string[], tint: Tint): string[] =>
  lines.length === 0 ? [] : ['', tint('bold', title), ...lines.map((line) => `  ${line}`)];

/** A story as people read it. */
export function storyText(story: AccessStory, tint: Tint): string {
  const { allowed, denied, grants, nearestRules, sufficientRoles, leastGrant, note } = story;
  const verdict = allowed ? tint('green', 'allowed') : tint('red', denied ? 'denied for certain' : 'not allowed');
  const lines = [
    `${tint('bold', 'Now:')} ${verdict}${note ? ` (${note})` : ''}`,
    ...section('What the modes say', modeLines(story.modes), tint),
    ...section('Allowed', (grants ?? []).flatMap(grantLines), tint),
    ...section(
      'Rules that come near',
      (nearestRules ?? []).flatMap((near) => nearLines(near, tint)),
      tint,
    ),
    ...section(
      'Roles that would do, the least powerful first',
      (sufficientRoles ?? []).map((role) => `${placeText(role)} (${role.rules ?? 0} rules)`),
      tint,
    ),
    ...(leastGrant ? ['', tint('bold', 'The least that would do'), manifestsText(leastGrant)] : []),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

export const modeLines = (modes: AccessStory['modes']): string[] =>
  (modes ?? []).map(({ mode, decision, reason, evaluationError }) => {
    const said = { Allow: 'allows it', Deny: 'refuses it' }[decision] ?? 'has no opinion';
    const why = [reason, evaluationError].filter((text) => text).join('; ');
    return `${mode} ${said}${why === '' ? '' : `: ${why}`}`;
  });

const manifestsText = ({ role, binding }: NonNullable<AccessStory['leastGrant']>): string =>
  [role, binding].map((object) => yamlText(object)).join('---\n');
