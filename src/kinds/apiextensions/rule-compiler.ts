import { standardFunctions } from '../../cel/functions/standard.ts';
import { RuleCompiler, type RuleSource } from '../../cel/rule.ts';
import { dns1035Label, dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../meta/formats.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { ValidationRule } from './json-schema.ts';

/** Formats of names that rules can ask for: those that objects themselves are held to. */
export const RULE_FORMATS = {
  dns1123Label: (text: string) => dns1123Label(text),
  dns1123Subdomain: (text: string) => dns1123Subdomain(text),
  dns1035Label: (text: string) => dns1035Label(text),
  dns1123LabelPrefix: (text: string) => dns1123Label(text, true),
  dns1123SubdomainPrefix: (text: string) => dns1123Subdomain(text, true),
  dns1035LabelPrefix: (text: string) => dns1035Label(text, true),
  qualifiedName,
  labelValue,
};

const FUNCTIONS = standardFunctions(RULE_FORMATS);

/** A compiler remembers the types of the schemas it has seen: one for each schema is forgotten with it. */
export const ruleCompiler = ({ openapiExtensions }: Vocabulary): RuleCompiler =>
  new RuleCompiler({ names: openapiExtensions, functions: FUNCTIONS });

export const ruleSource = (rule: ValidationRule): RuleSource => ({
  ...rule,
  messageExpression: rule.messageExpression === '' ? undefined : rule.messageExpression,
});
