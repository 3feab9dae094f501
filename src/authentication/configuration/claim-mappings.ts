import { type UserInfo, userNamed } from '../../api/user.ts';
import { type NamedExpression, NoValue } from '../../cel/named-values.ts';
import { BOOL } from '../../cel/types/type.ts';
import type { ConfigurationFields } from '../../codec/configuration-fields.ts';
import { isObject } from '../../schema/json-object.ts';
import type { Claims } from '../jwt.ts';
import { ClaimsRefused, isUnverified, namesIn, type UserIn } from '../oidc-claims.ts';
import { ABOUT_CLAIMS, ABOUT_USER, ONE_TEXT, TEXTS_OR_ONE } from './claim-expressions.ts';
import { compileField, extraKey, MOST_MAPPINGS, MOST_RULES } from './field-rules.ts';

/** Reads one value out of claims; where it is written as an expression, that is given too. */
interface Mapping {
  readonly expression?: NamedExpression | undefined;
  read(claims: Claims): unknown;
}

/** A condition, and what to say where it does not hold. */
interface Rule {
  readonly expression?: NamedExpression | undefined;
  readonly message: string;
  holds(values: Readonly<Record<string, unknown>>): boolean;
}

/** How tokens of one issuer become users. Throws an Error that names the field that is wrong. */
export function userByConfiguration(issuer: ConfigurationFields): UserIn {
  const claimRules = readClaimRules(issuer);
  const mappings = issuer.requiredObject('claimMappings').only('username', 'groups', 'uid', 'extra');
  const username = readName(mappings.requiredObject('username'));
  const groups = readGroups(mappings.object('groups'));
  const uid = readUid(mappings.object('uid'));
  const extra = readExtra(mappings);
  const userRules = readUserRules(issuer);
  demandVerifiedAddress(mappings, username, [...claimRules, ...extra.map(([, mapping]) => mapping)]);
  return refusing((claims) => {
    demandAll(claimRules, { claims });
    const name = oneText(username.read(claims), 'username');
    if (name === '') throw new ClaimsRefused('username: is empty');
    const user: UserInfo = {
      ...userNamed(name, texts(groups.read(claims), 'groups')),
      uid: oneText(uid.read(claims), 'uid'),
      extra: new Map(
        extra.map(([key, { read }]) => [key, texts(read(claims), key)] as const).filter(([, { length }]) => length > 0),
      ),
    };
    if (userRules.length > 0) demandAll(userRules, { user: shown(user) });
    return user;
  });
}

/** A user as expressions see it. */
const shown = ({ name, uid, groups, extra }: UserInfo) => ({
  username: name,
  uid,
  groups,
  extra: Object.fromEntries(extra),
});

/** An expression that has no value for a token refuses it. */
const refusing =
  (find: UserIn): UserIn =>
  (claims) => {
    try {
      return find(claims);
    } catch (error) {
      throw error instanceof NoValue ? new ClaimsRefused(error.message) : error;
    }
  };

function demandAll(rules: readonly Rule[], values: Readonly<Record<string, unknown>>): void {
  const broken = rules.find((rule) => !rule.holds(values));
  if (broken) throw new ClaimsRefused(broken.message);
}

function oneText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new ClaimsRefused(`${what}: a text is wanted`);
}

/** Empty ones say nothing. */
function texts(value: unknown, what: string): readonly string[] {
  const names = namesIn(value);
  if (names) return names.filter((name) => name !== '');
  throw new ClaimsRefused(`${what}: a text or a list of texts is wanted`);
}

function readClaimRules(issuer: ConfigurationFields): readonly Rule[] {
  const seen = new Set<string>();
  return issuer.objects('claimValidationRules', MOST_RULES).map((rule) => {
    rule.only('claim', 'requiredValue', 'expression', 'message');
    const [claim, message] = [rule.text('claim') ?? '', rule.text('message') ?? ''];
    const field = exactlyOne(rule, 'claim', 'expression');
    const text = rule.requiredText(field);
    if (seen.has(`${field}:${text}`)) throw rule.problem(field, 'is there twice');
    seen.add(`${field}:${text}`);
    if (field === 'expression') {
      if (rule.has('requiredValue')) throw rule.problem('requiredValue', "can't be set when expression is set");
      return expressionRule(rule, compileField(rule, 'expression', ABOUT_CLAIMS, [BOOL]), message);
    }
    if (message !== '') throw rule.problem('message', "can't be set when claim is set");
    const wanted = rule.text('requiredValue') ?? '';
    return {
      message: `the claim ${claim} is not what is required`,
      holds: ({ claims }) => isObject(claims) && claims[claim] === wanted,
    };
  });
}

function readUserRules(issuer: ConfigurationFields): readonly Rule[] {
  const seen = new Set<string>();
  return issuer.objects('userValidationRules', MOST_RULES).map((rule) => {
    rule.only('expression', 'message');
    const text = rule.requiredText('expression');
    if (seen.has(text)) throw rule.problem('expression', 'is there twice');
    seen.add(text);
    return expressionRule(rule, compileField(rule, 'expression', ABOUT_USER, [BOOL]), rule.text('message') ?? '');
  });
}

const expressionRule = (rule: ConfigurationFields, expression: NamedExpression, message: string): Rule => ({
  expression,
  message: message === '' ? `${rule.path} does not hold` : message,
  holds: (values) => expression.evaluate(values) === true,
});

/** Either a claim or an expression says it, never both. */
function exactlyOne(fields: ConfigurationFields, first: string, second: string): string {
  const [isFirst, isSecond] = [(fields.text(first) ?? '') !== '', (fields.text(second) ?? '') !== ''];
  if (isFirst === isSecond) {
    const what = isFirst ? `${first} and ${second} can't both be set` : `either ${first} or ${second} is required`;
    throw new Error(`${fields.path}: ${what}`);
  }
  return isFirst ? first : second;
}

const byExpression = (expression: NamedExpression): Mapping => ({
  expression,
  read: (claims) => expression.evaluate({ claims }),
});

/** Names of one issuer must not be mistaken for those of another: whoever wants no prefix says so. */
function readPrefix(mapping: ConfigurationFields): string {
  const prefix = mapping.text('prefix');
  if (prefix !== undefined) return prefix;
  throw mapping.problem('prefix', 'is required when claim is set; it can be empty for none');
}

function readName(mapping: ConfigurationFields): Mapping {
  mapping.only('claim', 'prefix', 'expression');
  if (exactlyOne(mapping, 'claim', 'expression') === 'expression') {
    if (mapping.has('prefix')) throw mapping.problem('prefix', "can't be set when expression is set");
    return byExpression(compileField(mapping, 'expression', ABOUT_CLAIMS, ONE_TEXT));
  }
  const [claim, prefix] = [mapping.requiredText('claim'), readPrefix(mapping)];
  return {
    read(claims) {
      if (isUnverified(claim, claims)) throw new ClaimsRefused('the address is not verified');
      const name = oneText(claims[claim], 'username');
      return name === '' ? '' : prefix + name;
    },
  };
}

function readGroups(mapping: ConfigurationFields | undefined): Mapping {
  mapping?.only('claim', 'prefix', 'expression');
  if (!mapping || !(mapping.has('claim') || mapping.has('prefix') || mapping.has('expression'))) return NOTHING;
  if (exactlyOne(mapping, 'claim', 'expression') === 'expression') {
    if (mapping.has('prefix')) throw mapping.problem('prefix', "can't be set when expression is set");
    return byExpression(compileField(mapping, 'expression', ABOUT_CLAIMS, TEXTS_OR_ONE));
  }
  const [claim, prefix] = [mapping.requiredText('claim'), readPrefix(mapping)];
  return { read: (claims) => texts(claims[claim], 'groups').map((group) => prefix + group) };
}

const NOTHING: Mapping = { read: () => undefined };

function readUid(mapping: ConfigurationFields | undefined): Mapping {
  mapping?.only('claim', 'expression');
  if (!mapping || !(mapping.has('claim') || mapping.has('expression'))) return { read: () => '' };
  if (exactlyOne(mapping, 'claim', 'expression') === 'expression') {
    return byExpression(compileField(mapping, 'expression', ABOUT_CLAIMS, ONE_TEXT));
  }
  const claim = mapping.requiredText('claim');
  return { read: (claims) => claims[claim] };
}

function readExtra(mappings: ConfigurationFields): readonly (readonly [key: string, mapping: Mapping])[] {
  const seen = new Set<string>();
  return mappings.objects('extra', MOST_MAPPINGS).map((entry) => {
    entry.only('key', 'valueExpression');
    const key = extraKey(entry);
    if (seen.has(key)) throw entry.problem('key', 'is there twice');
    seen.add(key);
    return [key, byExpression(compileField(entry, 'valueExpression', ABOUT_CLAIMS, TEXTS_OR_ONE))];
  });
}

/** Anyone can type in an address: an expression that names users by it has to look whether it is theirs. */
function demandVerifiedAddress(
  mappings: ConfigurationFields,
  username: Mapping,
  others: readonly { readonly expression?: NamedExpression | undefined }[],
): void {
  if (!username.expression?.reads('claims', 'email')) return;
  if ([username, ...others].some(({ expression }) => expression?.reads('claims', 'email_verified'))) return;
  throw mappings.problem(
    'username.expression',
    'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
  );
}
