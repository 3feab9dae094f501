import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { listAt, textAt } from '../api/json.ts';
import { groupNamed } from '../api/names.ts';
import { isAborted, sendForJson } from '../api/request.ts';
import { collectionPath, type Kind, kindRoute, kinds, listable, objectRoute } from '../state/catalogue.ts';
import { go } from '../state/route.ts';
import { logOut } from '../state/session.ts';
import { nextTheme } from '../state/theme.ts';
import { Dialog } from './dialog.tsx';

interface Choice {
  readonly name: string;
  readonly about: string;
  run(): void;
}

const MOST = 12;
const ASK_AFTER_MS = 150;

/** Goes anywhere by a few letters: a view, a kind, or `KIND NAME` for an object. */
export function Palette({ close }: { close(): void }) {
  const text = useSignal('');
  const chosen = useSignal(0);
  const objects = useSignal<readonly Choice[]>([]);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    objects.value = [];
    const [first = '', second = ''] = text.value.trim().toLowerCase().split(/\s+/, 2);
    const kind = second === '' ? undefined : kindCalled(first);
    if (!kind) return;
    const asking = new AbortController();
    const timer = setTimeout(() => {
      void objectsOf(kind, second, asking.signal).then((found) => {
        objects.value = found;
      }, ignoreAbort);
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text.value, objects]);
  const choices = [...objects.value, ...matching(text.value)].slice(0, MOST);
  const pick = (choice: Choice | undefined): void => {
    if (!choice) return;
    close();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      chosen.value = Math.max(0, Math.min(choices.length - 1, chosen.value + by));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      pick(choices[chosen.value]);
    }
  };
  return (
    <Dialog title="Go to" class="palette" close={close}>
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${chosen.value}`}
        aria-label="Go to a kind, an object or a view"
        placeholder="pods, deploy web, access…"
        onInput={(event) => {
          text.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id="palette-list" aria-label="Places">
        {choices.map((choice, i) => (
          <div
            role="option"
            id={`palette-${i}`}
            key={choice.name + choice.about}
            aria-selected={i === chosen.value}
            onClick={() => pick(choice)}
          >
            <span>{choice.name}</span>
            <small>{choice.about}</small>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="nothing">Nothing is called so.</p>}
    </Dialog>
  );
}

function ignoreAbort(error: unknown): void {
  if (!isAborted(error)) console.warn('objects could not be looked up', error);
}

const FIXED: readonly Choice[] = [
  { name: 'Home', about: 'view', run: () => go([]) },
  { name: 'Access: who can', about: 'view', run: () => go(['access', 'who']) },
  { name: 'Access: why denied', about: 'view', run: () => go(['access', 'why']) },
  { name: 'Access: matrix', about: 'view', run: () => go(['access', 'matrix']) },
  { name: 'Access: bindings', about: 'view', run: () => go(['access', 'graph']) },
  { name: 'Plane', about: 'view', run: () => go(['plane']) },
  { name: 'Colours', about: 'dark, light, system', run: nextTheme },
  { name: 'Log out', about: '', run: logOut },
];

function matching(typed: string): Choice[] {
  const wanted = typed.trim().toLowerCase();
  const places = listable(kinds.value).map((kind) => ({
    name: kind.kind,
    about: `${kind.plural}${kind.group === '' ? '' : `.${kind.group}`}`,
    run: () => go(kindRoute(kind)),
  }));
  const all = [...FIXED, ...places];
  const short = kinds.value.filter(({ shortNames }) => shortNames.includes(wanted)).map(({ kind }) => kind);
  return all
    .filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted) || short.includes(name))
    .sort((a, b) => rank(b, wanted, short) - rank(a, wanted, short));
}

const rank = ({ name, about }: Choice, wanted: string, short: readonly string[]): number =>
  short.includes(name) || about === wanted ? 2 : name.toLowerCase().startsWith(wanted) ? 1 : 0;

const kindCalled = (word: string): Kind | undefined => {
  const all = listable(kinds.value);
  return (
    all.find(
      ({ plural, kind, shortNames }) => plural === word || kind.toLowerCase() === word || shortNames.includes(word),
    ) ?? all.find(({ plural, kind }) => plural.startsWith(word) || kind.toLowerCase().startsWith(word))
  );
};

async function objectsOf(kind: Kind, part: string, signal: AbortSignal): Promise<Choice[]> {
  const accept = `application/json;as=PartialObjectMetadataList;v=v1;g=${groupNamed('meta')}`;
  const list = await sendForJson(`${collectionPath(kind)}?limit=1000`, { accept, signal });
  return listAt(list, 'items')
    .map((item) => [textAt(item, 'metadata', 'namespace'), textAt(item, 'metadata', 'name')] as const)
    .filter(([, name]) => name.includes(part))
    .slice(0, MOST)
    .map(([namespace, name]) => ({
      name,
      about: `${kind.kind}${namespace === '' ? '' : ` in ${namespace}`}`,
      run: () => go(objectRoute(kind, namespace, name)),
    }));
}
