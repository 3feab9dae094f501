import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/request.ts';
import { Notice } from '../parts/notice.tsx';
import { kinds } from '../state/catalogue.ts';
import { TablePage } from '../table/table-page.tsx';

interface Loaded {
  readonly View: ComponentType<{ path: readonly string[] }>;
}

/** Views that are loaded when somebody goes there. */
const LATER: Readonly<Record<string, () => Promise<Loaded>>> = {
  objects: async () => ({ View: (await import('../object/object-page.tsx')).ObjectPage }),
  access: async () => ({ View: (await import('../access/access-page.tsx')).AccessPage }),
  plane: async () => ({ View: (await import('../plane/plane-page.tsx')).PlanePage }),
};

/** What the address names. */
export function View({ path }: { path: readonly string[] }) {
  const [first = '', group = '', plural = ''] = path;
  if (kinds.value.length === 0)
    return (
      <p class="waiting" role="status">
        Looking at what is served…
      </p>
    );
  if (first === 'kinds') return <TablePage group={group} plural={plural} />;
  const load = Object.hasOwn(LATER, first) ? LATER[first] : undefined;
  if (!load) return <Notice title="There is no such view">The address names nothing that the console shows.</Notice>;
  return <Later key={first} load={load} path={path} />;
}

function Later({ load, path }: { load: () => Promise<Loaded>; path: readonly string[] }) {
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    load().then(setLoaded, (error: unknown) => setProblem(messageOf(error)));
  }, [load]);
  if (problem !== '') return <Notice title="This view cannot be loaded">{problem}</Notice>;
  if (!loaded)
    return (
      <p class="waiting" role="status">
        Loading…
      </p>
    );
  return <loaded.View path={path} />;
}
