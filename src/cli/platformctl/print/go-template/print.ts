import { CommandError } from '../../frame/failure.ts';
import { compactJsonText } from '../json-text.ts';
import type { ObjectPrinter } from '../printable.ts';
import { evaluateGoTemplate } from './evaluate.ts';
import { FUNCTION_NAMES } from './functions.ts';
import { type ParsedTemplate, parseGoTemplate } from './syntax.ts';

/** Prints what a template makes of objects. */
export function goTemplatePrinter(template: string, allowMissing: boolean): ObjectPrinter {
  const parsed = parsedTemplate(template);
  return {
    textOf(object) {
      try {
        return evaluateGoTemplate(parsed, object, allowMissing);
      } catch (error) {
        throw new CommandError(executionText(template, error, object));
      }
    },
  };
}

function parsedTemplate(template: string): ParsedTemplate {
  try {
    return parseGoTemplate(template, FUNCTION_NAMES);
  } catch (error) {
    throw new CommandError(`error parsing template ${template}, ${(error as Error).message}`);
  }
}

function executionText(template: string, error: unknown, object: object): string {
  const problem = error instanceof Error ? error.message : String(error);
  return [
    `error executing template ${JSON.stringify(template)}: template: output: executing "output": ${problem}. Printing more information for debugging the template:`,
    '\ttemplate was:',
    `\t\t${template}`,
    '\traw data was:',
    `\t\t${compactJsonText(object)}`,
    '',
  ].join('\n');
}
