import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useKeys } from '../parts/keys.ts';
import { catalogueProblem, findKind, kindRoute, loadCatalogue } from '../state/catalogue.ts';
import { loadNamespaces } from '../state/namespaces.ts';
import { go, linkTo, route } from '../state/route.ts';
import { session } from '../state/session.ts';
import { nextTheme } from '../state/theme.ts';
import { Help } from './help.tsx';
import { Home } from './home.tsx';
import { Login } from './login.tsx';
import { Palette } from './palette.tsx';
import { Sidebar } from './sidebar.tsx';
import { Toasts } from './toasts.tsx';
import { View } from './view.tsx';

export function App() {
  return session.value ? <Inside key={session.value.user} /> : <Login />;
}

/** Kinds that have a key of their own. */
const KEYS: Readonly<Record<string, readonly [group: string, plural: string]>> = {
  'g p': ['', 'pods'],
  'g d': ['apps', 'deployments'],
  'g n': ['', 'namespaces'],
  'g s': ['', 'services'],
  'g c': ['', 'configmaps'],
  'g e': ['', 'events'],
  'g o': ['', 'nodes'],
};

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Inside() {
  const overlay = useSignal<'' | 'palette' | 'help'>('');
  const isMenuOpen = useSignal(false);
  useEffect(() => {
    void loadCatalogue();
    void loadNamespaces();
  }, []);
  const { path } = route.value;
  useEffect(() => {
    isMenuOpen.value = false;
  }, [path.join('/'), isMenuOpen]);
  const close = (): void => {
    overlay.value = '';
  };
  const kindKeys = Object.entries(KEYS).map(([key, [group, plural]]) => {
    const visit = (): void => {
      const kind = findKind(group, plural);
      if (kind) go(kindRoute(kind));
    };
    return [key, visit] as const;
  });
  useKeys({
    ...Object.fromEntries(kindKeys),
    'Ctrl-k': () => {
      overlay.value = overlay.value === 'palette' ? '' : 'palette';
    },
    '?': () => {
      overlay.value = 'help';
    },
    t: nextTheme,
    'g h': () => go([]),
    'g a': () => go(['access']),
    'g l': () => go(['plane']),
  });
  return (
    <div class="shell">
      <a class="skip" href={linkTo(path)} onClick={skip}>
        Skip to the content
      </a>
      <Sidebar
        isOpen={isMenuOpen.value}
        toggle={() => {
          isMenuOpen.value = !isMenuOpen.value;
        }}
        openPalette={() => {
          overlay.value = 'palette';
        }}
        openHelp={() => {
          overlay.value = 'help';
        }}
      />
      <main id="main" tabIndex={-1}>
        {catalogueProblem.value !== '' && (
          <p class="notice" role="alert">
            What is served cannot be read: {catalogueProblem.value}
          </p>
        )}
        {path.length === 0 ? <Home /> : <View path={path} />}
      </main>
      {overlay.value === 'palette' && <Palette close={close} />}
      {overlay.value === 'help' && <Help close={close} />}
      <Toasts />
    </div>
  );
}
