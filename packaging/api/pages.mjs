import { Declarations, withoutComments } from './declarations.mjs';

/**
 * The pages of `docs/api`, in Markdown: what each entry point of the package exports, with the comments of the sources.
 * `within` names files whose declarations are shown too where something exported names them; those in `except` are the
 * package's own business all the same.
 */
const PAGES = {
  'server.md': {
    entry: 'index.d.ts',
    title: 'platform-apiserver',
    within: ['server/options', 'http/inject', 'outbound/network'],
    except: [],
  },
  'client.md': {
    entry: 'client/index.d.ts',
    title: 'platform-apiserver/client',
    within: ['client/', 'outbound/config'],
    except: ['INTERACTIVE_MODES', 'PatchForm', 'PlaneClient', 'Target', 'TypedSchema'],
  },
  'testing.md': {
    entry: 'testing/index.d.ts',
    title: 'platform-apiserver/testing',
    within: ['testing/'],
    except: ['FAULTS', 'MatcherResult', 'MatcherState', 'OneOf', 'PlaneUnderTest', 'StagedPlane'],
  },
  'schema.md': { entry: 'schema/index.d.ts', title: 'platform-apiserver/schema', within: [], except: [] },
};

/** Where kinds are declared. Each is a name and a type; what there is to say of it, `explain` says. */
const KINDS = 'client/typed/kinds/';

/** Not a list of them: it would be out of date whenever there is another one. */
const KINDS_TEXT = `Each kind that a plane has by itself is a value to ask a client for, and the type of its objects, under its own name, such as
\`Pod\`; with its version where that is not the usual one, such as \`HorizontalPodAutoscalerV1\`. \`platformctl api-resources\` lists
them.`;

/** The heading of the first of these that fits. */
const SECTIONS = [
  ['Functions', ({ sort, text }) => sort === 'function' || (sort === 'const' && / => /.test(text.split('\n')[0]))],
  ['Classes', ({ sort }) => sort === 'class'],
  ['Constants', ({ sort }) => sort === 'const'],
  ['Types', () => true],
];

/** The pages by the names of their files, of a folder of declarations. */
export function apiPages(folder) {
  const declarations = new Declarations(folder);
  return Object.fromEntries(Object.entries(PAGES).map(([file, page]) => [file, new Page(declarations, page).text()]));
}

/** What each entry point exports without a word about it, as `ENTRY: NAME`; kinds need none. */
export function undocumented(folder) {
  const declarations = new Declarations(folder);
  return Object.values(PAGES).flatMap(({ entry }) =>
    declarations
      .exportsOf(entry)
      .filter(({ file, parts }) => !file.startsWith(KINDS) && parts.every(({ doc }) => doc === ''))
      .map(({ alias }) => `${entry}: ${alias}`),
  );
}

class Page {
  #declarations;
  #page;
  #exported;
  #kinds;
  #named;
  #shown;

  constructor(declarations, page) {
    this.#declarations = declarations;
    this.#page = page;
    const all = declarations.exportsOf(page.entry);
    this.#kinds = all.filter(({ file }) => file.startsWith(KINDS));
    this.#exported = all.filter((one) => !this.#kinds.includes(one));
    this.#shown = new Set(all.map(identityOf));
    this.#named = this.#namedByThem();
  }

  text() {
    const { entry, title } = this.#page;
    const note = 'Made of the comments in the sources by `npm run api-reference`; a test holds the two together.';
    const lines = [`# ${title}`, this.#declarations.introductionOf(entry), note];
    const sectionOf = ({ parts }) => SECTIONS.find(([, fits]) => parts.some(fits))?.[0];
    for (const [section] of SECTIONS) {
      lines.push(
        ...this.#section(
          section,
          this.#exported.filter((one) => sectionOf(one) === section),
        ),
      );
    }
    if (this.#kinds.length > 0) lines.push('## Kinds', KINDS_TEXT);
    lines.push(...this.#section('Named by these, and not exported', this.#named));
    return `${lines.join('\n\n')}\n`;
  }

  #section(title, members) {
    return members.length === 0 ? [] : [`## ${title}`, ...members.flatMap((member) => this.#entry(member))];
  }

  #entry({ alias, file, parts }) {
    const docs = parts.map(({ doc }) => doc).filter((doc) => doc !== '');
    const code = parts.map(({ text }) => this.#signature(text, file)).join('\n');
    return [`### ${alias}`, ...docs, `\`\`\`ts\n${code}\n\`\`\``];
  }

  #signature(text, file) {
    return text
      .replace(/^export (declare )?/, '')
      .replaceAll(/import\("[^"]+"\)\./g, '')
      .split('\n')
      .filter((line) => line.trim() !== '#private;' && !this.#isOwnConstructor(line, file))
      .join('\n');
  }

  /** What takes something of ours that is not shown is made by the package alone. */
  #isOwnConstructor(line, file) {
    if (!/^ +constructor\(/.test(line)) return false;
    return this.#typesIn(line, file).some((one) => !this.#shown.has(identityOf(one)));
  }

  #namedByThem() {
    const { within, except } = this.#page;
    const found = [];
    const queue = [...this.#exported];
    for (const { file, parts } of queue) {
      for (const one of parts.flatMap(({ text }) => this.#typesIn(withoutConstructors(text), file))) {
        const isWithin = within.some((prefix) => one.file.startsWith(prefix)) && !except.includes(one.name);
        if (!isWithin || this.#shown.has(identityOf(one))) continue;
        this.#shown.add(identityOf(one));
        found.push(one);
        queue.push(one);
      }
    }
    return found.sort((a, b) => (identityOf(a) < identityOf(b) ? -1 : 1));
  }

  /** The declarations of ours that a text names. */
  #typesIn(text, file) {
    const names = new Set(withoutComments(text).match(/\b[A-Z]\w*/g) ?? []);
    return [...names].flatMap((name) => this.#declarations.find(file, name) ?? []);
  }
}

const identityOf = ({ name, file }) => `${name} ${file}`;

const withoutConstructors = (text) => text.replaceAll(/^ +constructor\(.*\);\n/gm, '');
