import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import { type EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import type { FieldDoc, SchemaReader } from '../api/openapi.ts';
import type { Path } from './yaml-text.ts';

const LINE = /^(\s*)((?:- +)*)(?:"?([\w./-]*)"?(:)?)?/;
/** Lines that are looked at above the one of the cursor. */
const MOST_ABOVE = 2_000;

/**
 * The path of the field on a line, read off the indentation of the lines above: the text need not be whole while it is
 * being written.
 */
export function pathOfLine(state: EditorState, number: number): Path {
  const [, indent = '', dashes = '', name = ''] = LINE.exec(state.doc.line(number).text) ?? [];
  const path: (string | number)[] = name === '' ? [] : [name];
  let column = indent.length + dashes.length;
  if (dashes !== '') {
    path.unshift(0);
    column = indent.length;
  }
  for (let above = number - 1; above >= 1 && number - above < MOST_ABOVE; above--) {
    const { text } = state.doc.line(above);
    if (text.trim() === '' || text.trim().startsWith('#')) continue;
    const [, space = '', marks = '', key = '', colon] = LINE.exec(text) ?? [];
    const start = space.length + marks.length;
    const isInList = path[0] === 0;
    const isParent = start < column || (isInList && marks === '' && start === column && colon !== undefined);
    if (isParent && colon && key !== '') {
      path.unshift(key);
      column = start;
      if (marks !== '') {
        path.unshift(0);
        column = space.length;
      }
    } else if (marks !== '' && start === column && !isInList) {
      path.unshift(0);
      column = space.length;
    }
  }
  return path;
}

const describe = ({ type, isRequired, description, choices }: FieldDoc): HTMLElement => {
  const place = document.createElement('div');
  place.className = 'field-help';
  const head = place.appendChild(document.createElement('code'));
  head.textContent = `${type}${isRequired ? ', required' : ''}`;
  place.appendChild(document.createElement('p')).textContent = description;
  if (choices.length > 0) place.appendChild(document.createElement('p')).textContent = choices.join(' | ');
  return place;
};

/** Names of fields, and the values of those that have a choice of them. */
export function completing(schema: () => SchemaReader | undefined) {
  return (context: CompletionContext): CompletionResult | null => {
    const reader = schema();
    if (!reader) return null;
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const path = pathOfLine(context.state, line.number);
    const value = /:\s+(\S*)$/.exec(before);
    if (value) {
      const choices = reader.docOf(path)?.choices ?? [];
      if (choices.length === 0) return null;
      return { from: context.pos - (value[1]?.length ?? 0), options: choices.map((label) => ({ label })) };
    }
    const word = /[\w./-]*$/.exec(before)?.[0] ?? '';
    if (!context.explicit && word === '') return null;
    const last = path[path.length - 1];
    const parent = typeof last === 'string' ? path.slice(0, -1) : path;
    const options = reader.fieldsAt(parent).map((label): Completion => {
      const doc = reader.docOf([...parent, label]);
      return {
        label,
        type: 'property',
        apply: `${label}: `,
        ...(doc ? { detail: doc.type, info: () => describe(doc), boost: doc.isRequired ? 1 : 0 } : {}),
      };
    });
    return options.length === 0 ? null : { from: context.pos - word.length, options, validFor: /^[\w./-]*$/ };
  };
}

/** What the schema says of the field under the pointer. */
export const explainingFields = (schema: () => SchemaReader | undefined) =>
  hoverTooltip((view: EditorView, at: number): Tooltip | null => {
    const line = view.state.doc.lineAt(at);
    const name = LINE.exec(line.text)?.[3];
    if (!name || at > line.from + line.text.indexOf(name) + name.length) return null;
    const doc = schema()?.docOf(pathOfLine(view.state, line.number));
    return doc
      ? { pos: line.from + line.text.indexOf(name), above: true, create: () => ({ dom: describe(doc) }) }
      : null;
  });
