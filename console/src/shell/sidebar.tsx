import { useSignal } from '@preact/signals';
import { type Kind, kindRoute, kinds, listable } from '../state/catalogue.ts';
import { linkTo, route } from '../state/route.ts';
import { logOut, session } from '../state/session.ts';
import { nextTheme, theme } from '../state/theme.ts';
import { Mark } from './login.tsx';

interface Props {
  readonly isOpen: boolean;
  toggle(): void;
  openPalette(): void;
  openHelp(): void;
}

/** Kinds that many look at, by their names in discovery. */
const OFTEN = [
  'deployments',
  'statefulsets',
  'pods',
  'services',
  'configmaps',
  'secrets',
  'namespaces',
  'nodes',
  'events',
];

export function Sidebar({ isOpen, toggle, openPalette, openHelp }: Props) {
  const filter = useSignal('');
  const wanted = filter.value.toLowerCase();
  const all = listable(kinds.value).filter(({ kind, plural, group }) =>
    `${kind} ${plural} ${group}`.toLowerCase().includes(wanted),
  );
  const often = OFTEN.flatMap((name) => all.filter(({ plural, group }) => plural === name && isOwn(group)).slice(0, 1));
  const groups = [...new Set(all.map(({ group }) => group))];
  return (
    <nav class={`side ${isOpen ? 'open' : ''}`} aria-label="Main">
      <div class="side-head">
        <a class="home" href={linkTo([])}>
          <Mark />
          <b>Console</b>
        </a>
        <button type="button" class="icon menu" aria-expanded={isOpen} aria-label="Menu" onClick={toggle}>
          ☰
        </button>
      </div>
      <div class="side-body">
        <button type="button" class="search" onClick={openPalette}>
          Go to… <kbd>Ctrl K</kbd>
        </button>
        <ul>
          <Entry path={['access']} name="Access" />
          <Entry path={['plane']} name="Plane" />
        </ul>
        <input
          type="search"
          placeholder="Filter kinds"
          aria-label="Filter kinds"
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
        <div class="kinds">
          {wanted === '' && often.length > 0 && <Section title="Often" kinds={often} />}
          {groups.map((group) => (
            <Section
              key={group}
              title={group === '' ? 'core' : group}
              kinds={all.filter((kind) => kind.group === group)}
              isOpen={wanted !== ''}
            />
          ))}
        </div>
      </div>
      <div class="side-foot">
        <span class="who" title={session.value?.groups.join('\n')}>
          {session.value?.user}
        </span>
        <button
          type="button"
          class="icon"
          onClick={nextTheme}
          aria-label={`Colours: ${theme.value}`}
          title={`Colours: ${theme.value}`}
        >
          {{ system: '◐', dark: '●', light: '○' }[theme.value]}
        </button>
        <button type="button" class="icon" onClick={openHelp} aria-label="Keys" title="Keys">
          ?
        </button>
        <button type="button" class="icon" onClick={logOut} aria-label="Log out" title="Log out">
          ⇥
        </button>
      </div>
    </nav>
  );
}

const isOwn = (group: string): boolean => group === '' || group === 'apps';

function Section({ title, kinds: shown, isOpen }: { title: string; kinds: readonly Kind[]; isOpen?: boolean }) {
  const { path } = route.value;
  const isHere = shown.some((kind) => kindRoute(kind).join('/') === path.slice(0, 3).join('/'));
  return (
    <details open={isOpen || isHere || title === 'Often'}>
      <summary>{title}</summary>
      <ul>
        {shown.map((kind) => (
          <Entry key={kind.plural} path={kindRoute(kind)} name={kind.kind} />
        ))}
      </ul>
    </details>
  );
}

function Entry({ path, name }: { path: readonly string[]; name: string }) {
  const here = route.value.path.slice(0, path.length).join('/') === path.join('/');
  const namespace = path[0] === 'kinds' ? (route.value.query.get('ns') ?? undefined) : undefined;
  return (
    <li>
      <a href={linkTo(path, { ns: namespace })} aria-current={here ? 'page' : undefined}>
        {name}
      </a>
    </li>
  );
}
