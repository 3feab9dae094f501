import { required } from '../../meta/field-rules.ts';
import { readFieldPath } from './field-path.ts';
import { type JSONSchemaProps, schemaExtensions, type ValidationRule } from './json-schema.ts';
import type { SchemaPlace } from './schema-place.ts';

/** A longer expression is refused: reading it would take too long. */
export const LONGEST_EXPRESSION = 10_000;

/** The reasons that a rule can give for its problem. */
export const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

const hasLineBreak = (text: string): boolean => /[\r\n]/.test(text.trim());

/** What is wrong with the fields of the rules of a schema, apart from what the expressions mean. */
export function validateRuleFields(schema: JSONSchemaProps, place: SchemaPlace): void {
  const { path, problems, vocabulary } = place;
  const { validations = [] } = schemaExtensions(schema, vocabulary);
  validations.forEach((rule, at) => {
    const own = { ...place, path: path.child(vocabulary.openapiExtensions.validations).index(at) };
    validateTexts(rule, own);
    validateFieldPath(rule, schema, own);
    if (rule.reason !== undefined && !REASONS.includes(rule.reason)) {
      problems.notSupported(own.path.child('reason'), rule.reason, REASONS);
    }
  });
}

function validateTexts({ rule, message = '', messageExpression = '' }: ValidationRule, place: SchemaPlace): void {
  const { path, problems } = place;
  required(problems, path, 'rule', rule.trim(), 'rule is not specified');
  const at = path.child('message');
  if (message !== '' && message.trim() === '') {
    problems.invalid(at, message, 'message must be non-empty if specified');
  } else if (hasLineBreak(message)) problems.invalid(at, message, 'message must not contain line breaks');
  else if (hasLineBreak(rule) && message === '') {
    problems.required(at, 'message must be specified if rule contains line breaks');
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    problems.required(path.child('messageExpression'), 'messageExpression must be non-empty if specified');
  }
  if (rule.length > LONGEST_EXPRESSION) problems.tooLong(path.child('rule'), LONGEST_EXPRESSION);
  if (messageExpression.length > LONGEST_EXPRESSION) {
    problems.tooLong(path.child('messageExpression'), LONGEST_EXPRESSION);
  }
}

function validateFieldPath({ fieldPath = '' }: ValidationRule, schema: JSONSchemaProps, place: SchemaPlace): void {
  if (fieldPath === '') return;
  const at = place.path.child('fieldPath');
  if (fieldPath.trim() === '') place.problems.invalid(at, fieldPath, 'fieldPath must be non-empty if specified');
  else if (hasLineBreak(fieldPath)) place.problems.invalid(at, fieldPath, 'fieldPath must not contain line breaks');
  else {
    const read = readFieldPath(fieldPath, schema);
    if ('problem' in read) place.problems.invalid(at, fieldPath, `fieldPath must be a valid path: ${read.problem}`);
  }
}
