import { standardFunctions } from '../../cel/functions/standard.ts';
import { NamedValues } from '../../cel/named-values.ts';
import { DYN, type Field, listOf, mapOf, type ObjectType, STRING, type Type } from '../../cel/types/type.ts';

const TEXTS = listOf(STRING);

const fieldsOf = (types: Readonly<Record<string, Type>>): ReadonlyMap<string, Field> =>
  new Map(Object.entries(types).map(([name, type]) => [name, { name, type }]));

const USER: ObjectType = {
  kind: 'object',
  name: 'UserInfo',
  fields: fieldsOf({ username: STRING, uid: STRING, groups: TEXTS, extra: mapOf(STRING, TEXTS) }),
};

const FUNCTIONS = standardFunctions();

/** Expressions about what a token claims. */
export const ABOUT_CLAIMS = new NamedValues({ claims: mapOf(STRING, DYN) }, FUNCTIONS);

/** Expressions about the user that was made of it. */
export const ABOUT_USER = new NamedValues({ user: USER }, FUNCTIONS);

/** What mappings may give: one text, or several. */
export const ONE_TEXT: readonly Type[] = [STRING];
export const TEXTS_OR_ONE: readonly Type[] = [STRING, TEXTS];
