import type { JSX } from 'preact';
import { go, route } from '../state/route.ts';
import { BindingGraph } from './binding-graph.tsx';
import { Matrix } from './matrix.tsx';
import { WhoCan } from './who-can.tsx';
import { WhyDenied } from './why-denied.tsx';

const TABS: readonly { readonly id: string; readonly name: string; readonly View: () => JSX.Element }[] = [
  { id: 'who', name: 'Who can', View: WhoCan },
  { id: 'why', name: 'Why denied', View: WhyDenied },
  { id: 'matrix', name: 'Matrix', View: Matrix },
  { id: 'graph', name: 'Bindings', View: BindingGraph },
];

/** Who may do what, and why. */
export function AccessPage({ path }: { path: readonly string[] }) {
  const tab = TABS.find(({ id }) => id === path[1]) ?? TABS[0];
  if (!tab) return null;
  return (
    <div class="page">
      <header class="tools">
        <h1>Access</h1>
      </header>
      <div class="tabs" role="tablist" aria-label="Questions">
        {TABS.map(({ id, name }) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`tab-${id}`}
            aria-selected={id === tab.id}
            aria-controls="part"
            onClick={() => go(['access', id])}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        class="part"
        role="tabpanel"
        id="part"
        aria-labelledby={`tab-${tab.id}`}
        key={`${tab.id} ${route.value.path[0]}`}
      >
        <tab.View />
      </div>
    </div>
  );
}
