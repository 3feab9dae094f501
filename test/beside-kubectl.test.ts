import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Case, Line } from './beside-kubectl/cases.ts';
import { CONFIGURING_CASES } from './beside-kubectl/configuring.ts';
import { createObjects } from './beside-kubectl/objects.ts';
import { READING_CASES } from './beside-kubectl/reading.ts';
import { WORKING_CASES } from './beside-kubectl/working.ts';
import { WRITING_CASES } from './beside-kubectl/writing.ts';
import { endCommands, startCommand } from './support/command.ts';
import { describeKubectl, Kubectl, type Run } from './support/kubectl.ts';
import { Platformctl } from './support/platformctl.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';

const ALL_CASES = [...READING_CASES, ...WRITING_CASES, ...WORKING_CASES, ...CONFIGURING_CASES];

/** All of them take minutes (`npm run beside-kubectl`); every fourth is enough to notice when something breaks. */
const CASES = process.env.BESIDE_KUBECTL === 'all' ? ALL_CASES : ALL_CASES.filter((_, at) => at % 4 === 0);

/** Kinds whose objects are what a case leaves behind. */
const LEFT = [
  'configmaps,secrets,services,serviceaccounts,pods,persistentvolumeclaims,resourcequotas,limitranges,endpoints',
  'deployments,daemonsets,statefulsets,replicasets,jobs,cronjobs,horizontalpodautoscalers,ingresses,networkpolicies',
  'poddisruptionbudgets,roles,rolebindings',
].join(',');

let directory: string;
let configFile: string;

beforeAll(async () => {
  directory = await makeDirectory();
  // What loops change while two programs are compared would be compared with it.
  await startCommand(directory, '--vocabulary=kubernetes', '--controllers=*,-disruption').ready();
  configFile = join(directory, '.platform', 'admin.conf');
});

afterAll(async () => {
  await endCommands();
  await removeDirectory(directory);
});

it('enough lines are compared, also in the short form', () => {
  expect(CASES.flatMap(({ lines }) => lines).length).toBeGreaterThanOrEqual(150);
});

type RunLine = (words: readonly string[], stdin?: string) => Promise<Run>;

/** What a case came to: what each line printed, and what is there afterwards. */
interface Outcome {
  readonly printed: readonly (Run & { readonly line: string })[];
  readonly left: string;
}

describeKubectl('platformctl beside kubectl', (program) => {
  const chosen = CASES.filter(
    ({ sinceMinor = 0, untilMinor = program.minor }) => program.minor >= sinceMinor && program.minor <= untilMinor,
  );

  describe.each(chosen.map((one, at) => [one.name, one, at] as const))('%s', (_, one, at) => {
    it('does and prints the same', async () => {
      const kubectlFolder = join(directory, `${program.minor}-${at}-k`);
      const ourFolder = join(directory, `${program.minor}-${at}-p`);
      const kubectl = new Kubectl(program, kubectlFolder, configFile);
      const platformctl = new Platformctl(ourFolder, configFile);
      const theirs = await outcomeOf(one, `case-${program.minor}-${at}-k`, kubectlFolder, (words, stdin) =>
        kubectl.run(words, undefined, stdin),
      );
      const ourCase = { ...one, lines: one.lines.map((line) => ({ ...line, said: line.ours ?? line.words })) };
      const ours = await outcomeOf(ourCase, `case-${program.minor}-${at}-p`, ourFolder, (words, stdin) =>
        platformctl.run(words, stdin === undefined ? {} : { stdin }),
      );
      expect(ours).toEqual(theirs);
    });
  });
});

async function outcomeOf(one: Case, namespace: string, folder: string, run: RunLine): Promise<Outcome> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(one.files ?? {})) {
    await writeFile(join(folder, name), text.replaceAll('NAMESPACE', namespace));
  }
  const admin = new Platformctl(folder, configFile);
  await admin.run(['create', 'namespace', namespace]);
  const removeObjects = await createObjects(configFile, one.objects ?? '', namespace);
  const printed: (Run & { readonly line: string })[] = [];
  for (const line of one.lines) printed.push(await printedBy(line, namespace, folder, run));
  const { stdout } = await admin.run(['get', LEFT, '-n', namespace, '-o', 'json']);
  await removeObjects();
  return { printed, left: plain(stdout, namespace, folder) };
}

async function printedBy(
  line: Line & { readonly said?: readonly string[] },
  namespace: string,
  folder: string,
  run: RunLine,
) {
  const words = (line.said ?? line.words).map((word) => word.replaceAll('NAMESPACE', namespace));
  const { code, stdout, stderr } = await run(['-n', namespace, ...words], line.stdin);
  const shown = line.words.join(' ');
  if (line.differs !== undefined) return { line: shown, code, stdout: '', stderr: '' };
  return { line: shown, code, stdout: plain(stdout, namespace, folder), stderr: plain(stderr, namespace, folder) };
}

/** Without what no two runs have in common, in the same width, so that tables stay comparable. */
function plain(text: string, namespace: string, folder: string): string {
  return (
    text
      .replaceAll(folder, 'FOLDER')
      .replaceAll(namespace, namespace.replace(/.$/, '_'))
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/\w{3}, \d\d \w{3} 20(?:2[5-9]|[3-9]\d) \d\d:\d\d:\d\d [+-]\d{4}/g, 'MOMENT')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} \w+/g, 'MOMENT')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
      .replaceAll(/("?resourceVersion"?: )"\d+"/g, '$1"VERSION"')
      .replaceAll(/(Resource Version: +)\d+/g, '$1VERSION')
      .replaceAll(/"manager": "[^"]*"/g, '"manager": "MANAGER"')
      .replaceAll(/(manager: ).*/g, '$1MANAGER')
      .replaceAll(/\b\d+m?s\b/g, 'AGE')
      // The column is as wide as the longest of them.
      .replaceAll(/\bAGE {2,}/g, 'AGE   ')
      .replaceAll(/\bkubectl(\.\d+\.\d+)?\b|\bplatformctl\b/g, 'PROGRAM')
  );
}
