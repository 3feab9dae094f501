/** A command of a page, or several: a fenced block of a language, or a span of code that begins as a command does. */
export interface Example {
  readonly language: 'sh' | 'ts';
  readonly text: string;
  readonly section: string;
}

const COMMAND = /^(?:npm|npx|node|kubectl|curl|etcd|export|platform-apiserver) \S/;

/** Everything that a reader could run, in the order of the page. */
export function examplesOf(page: string): Example[] {
  const examples: Example[] = [];
  let section = '';
  let block: { language: string; lines: string[] } | undefined;
  for (const line of page.split('\n')) {
    const fence = /^```(\w*)$/.exec(line);
    if (fence && block) {
      const language = languageOf(block.language);
      if (language) examples.push({ language, text: block.lines.join('\n'), section });
      block = undefined;
    } else if (fence) {
      block = { language: fence[1] ?? '', lines: [] };
    } else if (block) {
      block.lines.push(line);
    } else {
      section = /^## (.*)/.exec(line)?.[1] ?? section;
      for (const [, code = ''] of line.matchAll(/`([^`]+)`/g)) {
        if (COMMAND.test(code)) examples.push({ language: 'sh', text: code, section });
      }
    }
  }
  return examples;
}

function languageOf(fence: string): Example['language'] | undefined {
  if (['sh', 'bash', 'shell', 'console'].includes(fence)) return 'sh';
  return ['ts', 'js', 'typescript', 'javascript', 'mjs'].includes(fence) ? 'ts' : undefined;
}
