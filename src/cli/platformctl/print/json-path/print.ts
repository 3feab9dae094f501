import { CommandError } from '../../frame/failure.ts';
import { goText } from '../go-text.ts';
import { compactJsonText, jsonText } from '../json-text.ts';
import type { ObjectPrinter } from '../printable.ts';
import { evaluateTemplate } from './evaluate.ts';
import { type Block, parseTemplate } from './syntax.ts';

/** Prints what a template of paths finds in objects. */
export function jsonPathPrinter(
  template: string,
  settings: { readonly allowMissing: boolean; readonly asJson: boolean },
): ObjectPrinter {
  const blocks = parsed(template);
  return {
    textOf(object) {
      try {
        const found = evaluateTemplate(blocks, object, settings);
        return found.map((values) => (settings.asJson ? `${jsonText(values)}\n` : valuesText(values))).join('');
      } catch (error) {
        throw new CommandError(executionText(template, error, object));
      }
    },
  };
}

function parsed(template: string): readonly Block[] {
  try {
    return parseTemplate(template);
  } catch (error) {
    throw new CommandError(`error parsing jsonpath ${template}, ${(error as Error).message}`);
  }
}

/** Values with a space between; what is more than a scalar as JSON. */
const valuesText = (values: readonly unknown[]): string =>
  values
    .map((value) => (typeof value === 'object' && value !== null ? compactJsonText(value) : scalar(value)))
    .join(' ');

const scalar = (value: unknown): string => (value === null ? 'null' : goText(value));

function executionText(template: string, error: unknown, object: object): string {
  const problem = error instanceof Error ? error.message : String(error);
  return [
    `error executing jsonpath ${JSON.stringify(template)}: Error executing template: ${problem}. Printing more information for debugging the template:`,
    `\ttemplate was:`,
    `\t\t${template}`,
    '\tobject given to jsonpath engine was:',
    `\t\t${compactJsonText(object)}`,
    '',
    '',
  ].join('\n');
}
