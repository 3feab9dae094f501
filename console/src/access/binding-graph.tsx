import { useSignal } from '@preact/signals';
import { groupNamed } from '../api/names.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { findKind, objectRoute } from '../state/catalogue.ts';
import { linkTo } from '../state/route.ts';
import { type Binding, isOfSystem, readBindings, subjectText } from './bindings.ts';

const MOST_BINDINGS = 60;
const ROW = 34;
const WIDTH = 980;
const BOX = 250;
const COLUMNS = [0, (WIDTH - BOX) / 2, WIDTH - BOX];
const LONGEST = 30;

interface Box {
  readonly id: string;
  readonly text: string;
  readonly about: string;
  readonly column: number;
  readonly row: number;
  readonly href?: string;
}

/** Who is bound to which role, as a picture. */
export function BindingGraph() {
  const filter = useSignal('');
  const withSystem = useSignal(false);
  const answer = useAnswer(readBindings, []);
  if (answer.error) return <Notice title="Bindings are not for you to see" error={answer.error} />;
  const wanted = filter.value.toLowerCase();
  const found = (answer.value ?? []).filter(
    (binding) => (withSystem.value || !isOfSystem(binding.name)) && textOf(binding).includes(wanted),
  );
  return (
    <>
      <form class="question" onSubmit={(event) => event.preventDefault()}>
        <label>
          Subjects, bindings or roles
          <input
            type="search"
            placeholder="Filter"
            onInput={(event) => {
              filter.value = event.currentTarget.value;
            }}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={withSystem.value}
            onChange={(event) => {
              withSystem.value = event.currentTarget.checked;
            }}
          />
          those of the system
        </label>
        {found.length > MOST_BINDINGS && (
          <span class="quiet">
            the first {MOST_BINDINGS} of {found.length}
          </span>
        )}
      </form>
      {answer.value && found.length === 0 && <p class="nothing">No binding to show.</p>}
      {found.length > 0 && <Picture bindings={found.slice(0, MOST_BINDINGS)} />}
      <CommandLine line="platformctl get clusterrolebindings,rolebindings --all-namespaces --output=wide" />
    </>
  );
}

const textOf = ({ name, namespace, role, subjects }: Binding): string =>
  [name, namespace, role.name, ...subjects.map(subjectText)].join(' ').toLowerCase();

function Picture({ bindings }: { bindings: readonly Binding[] }) {
  const { boxes, lines } = layOut(bindings);
  const rows = Math.max(...boxes.map(({ row }) => row)) + 1;
  const byId = new Map(boxes.map((box) => [box.id, box]));
  return (
    <div class="graph">
      <svg viewBox={`0 0 ${WIDTH} ${rows * ROW + 8}`} aria-label={`${bindings.length} bindings`}>
        {lines.map(([from, to]) => {
          const [a, b] = [byId.get(from), byId.get(to)];
          return a && b ? <path key={from + to} d={curve(a, b)} /> : null;
        })}
        {boxes.map((box) => (
          <g
            key={box.id}
            class={`box c${box.column}`}
            transform={`translate(${COLUMNS[box.column]} ${box.row * ROW + 4})`}
          >
            {box.href === undefined ? (
              <Shape box={box} />
            ) : (
              <a href={box.href} aria-label={box.about}>
                <Shape box={box} />
              </a>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

function Shape({ box: { text, about } }: { box: Box }) {
  return (
    <>
      <title>{about}</title>
      <rect width={BOX} height={ROW - 8} rx="7" />
      <text x="10" y="17">
        {text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}
      </text>
    </>
  );
}

function curve(a: Box, b: Box): string {
  const [x1, x2] = [(COLUMNS[a.column] ?? 0) + BOX, COLUMNS[b.column] ?? 0];
  const [y1, y2] = [a, b].map(({ row }) => row * ROW + ROW / 2);
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

/** Subjects on the left, bindings in the middle, roles on the right, each in the order in which they come first. */
function layOut(bindings: readonly Binding[]): { boxes: Box[]; lines: [string, string][] } {
  const boxes = new Map<string, Box>();
  const rows = [0, 0, 0];
  const lines: [string, string][] = [];
  const add = (column: number, id: string, text: string, about: string, href?: string): string => {
    const row = rows[column] ?? 0;
    if (!boxes.has(id)) {
      boxes.set(id, { id, text, about, column, row, ...(href === undefined ? {} : { href }) });
      rows[column] = row + 1;
    }
    return id;
  };
  for (const { kind, namespace, name, role, subjects } of bindings) {
    const place = namespace === '' ? '' : ` in ${namespace}`;
    const binding = add(
      1,
      `${kind} ${namespace}/${name}`,
      name,
      `${kind} ${name}${place}`,
      opening(kind, namespace, name),
    );
    const space = role.kind === 'Role' ? namespace : '';
    const target = add(
      2,
      `${role.kind} ${space}/${role.name}`,
      role.name,
      `${role.kind} ${role.name}`,
      opening(role.kind, space, role.name),
    );
    lines.push([binding, target]);
    for (const subject of subjects) {
      const text = subjectText(subject);
      lines.push([add(0, `${subject.kind} ${text}`, text, `${subject.kind} ${text}`), binding]);
    }
  }
  return { boxes: [...boxes.values()], lines };
}

function opening(kindName: string, namespace: string, name: string): string | undefined {
  const kind = findKind(groupNamed('rbac'), `${kindName.toLowerCase()}s`);
  return kind && linkTo(objectRoute(kind, namespace, name));
}
