import { Dialog } from './dialog.tsx';

const KEYS: readonly [string, string][] = [
  ['Ctrl K', 'go to a kind, an object, a view'],
  ['j  k', 'the next row, the one before'],
  ['Enter', 'open the row'],
  ['/', 'filter what is shown'],
  ['g h', 'home'],
  ['g p', 'pods'],
  ['g d', 'deployments'],
  ['g s', 'services'],
  ['g c', 'config maps'],
  ['g n', 'namespaces'],
  ['g o', 'nodes'],
  ['g e', 'events'],
  ['g a', 'access'],
  ['g l', 'plane'],
  ['1 – 9', 'a part of an object'],
  ['Ctrl S', 'in the editor: see what saving would change'],
  ['t', 'dark, light, or as the system has it'],
  ['?', 'these keys'],
];

export function Help({ close }: { close(): void }) {
  return (
    <Dialog title="Keys" class="help" close={close}>
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </Dialog>
  );
}
