import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * Declarations as the compiler writes them: a statement begins in the first column, what goes on is indented or begins with
 * a closing bracket, and a comment stands before what it is about.
 */

const NAMED =
  /^(?:export )?(?:declare )?(?:abstract )?(?<sort>class|interface|type|const|function) (?<name>[A-Za-z_$][\w$]*)/;
const LIST = /^(?<verb>export|import) (?<type>type )?\{(?<names>[^}]*)\} from '(?<from>[^']+)';?$/;

/** The statements of a file of declarations: `{ text, doc, sort, name }`, without the latter two for lists of names. */
export function statementsOf(text) {
  const statements = [];
  let doc = [];
  let inDoc = false;
  for (const line of text.split('\n')) {
    if (inDoc || line.startsWith('/**')) {
      // A comment about nothing, such as that of a whole file, is followed by another or by no declaration.
      doc = line.startsWith('/**') ? [line] : [...doc, line];
      inDoc = !line.endsWith('*/');
    } else if (/^\S/.test(line) && !/^[})\]]/.test(line)) {
      statements.push({ text: line, doc: textOfComment(doc), ...NAMED.exec(line)?.groups });
      doc = [];
    } else if (line !== '' && statements.length > 0) {
      statements.at(-1).text += `\n${line}`;
    }
  }
  return statements;
}

const textOfComment = (lines) =>
  lines
    .map((line) => line.replace(/^(\/\*\*| \*(?!\/)) ?/, '').replace(/ ?\*\/$/, ''))
    .join('\n')
    .trim();

export const withoutComments = (text) => text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '');

/** Names that a list passes on, each with the name it has here and the file that it is from. */
function namesIn(statement, file) {
  const { verb, names, from } = LIST.exec(statement.text.replaceAll('\n', ' '))?.groups ?? {};
  if (from === undefined || !from.startsWith('.')) return [];
  const target = normalize(join(dirname(file), from.replace(/\.ts$/, '.d.ts')));
  return names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
    .map((name) => name.split(' as '))
    .map(([name, alias = name]) => ({ isExport: verb === 'export', name, alias, file: target }));
}

/** The files of declarations below a folder, each read once. */
export class Declarations {
  #folder;
  #files = new Map();

  constructor(folder) {
    this.#folder = folder;
  }

  /** What a file declares and where its other names are from. */
  #file(file) {
    const known = this.#files.get(file);
    if (known) return known;
    const path = join(this.#folder, file);
    const statements = existsSync(path) ? statementsOf(readFileSync(path, 'utf8')) : [];
    const made = { statements, names: statements.flatMap((statement) => namesIn(statement, file)) };
    this.#files.set(file, made);
    return made;
  }

  /** The first comment of a file, which says what the file is about. */
  introductionOf(file) {
    const [comment = ''] = /^\/\*\*[\s\S]*?\*\//m.exec(readFileSync(join(this.#folder, file), 'utf8')) ?? [];
    return textOfComment(comment.split('\n'));
  }

  /** What a name means in a file, followed to where it is declared; undefined when it is not one of ours. */
  find(file, name) {
    const { statements, names } = this.#file(file);
    const parts = statements.filter((statement) => statement.name === name);
    if (parts.length > 0) return { name, alias: name, file, parts };
    const passedOn = names.find(({ alias }) => alias === name);
    return passedOn && this.find(passedOn.file, passedOn.name);
  }

  /** What a program can import from an entry point, in the order of the names. Throws when one is declared nowhere. */
  exportsOf(file) {
    const own = this.#file(file);
    const names = own.names.filter(({ isExport }) => isExport).map(({ alias }) => alias);
    return names.sort(byName).map((name) => {
      const found = this.find(file, name);
      if (!found) throw new Error(`${file}: nothing declares ${name}`);
      return { ...found, alias: name };
    });
  }
}

/** The same order on every machine. */
const byName = (a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);
