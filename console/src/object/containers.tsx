import type { Signal } from '@preact/signals';
import { type JsonObject, listAt, textAt } from '../api/json.ts';

/** Names of the containers of a pod, those that start it last. */
export const containersOf = (pod: JsonObject): readonly string[] =>
  ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
    listAt(pod, 'spec', list).map((one) => textAt(one, 'name')),
  );

export function ContainerChoice({ pod, chosen }: { pod: JsonObject; chosen: Signal<string> }) {
  return (
    <select
      aria-label="Container"
      value={chosen.value}
      onChange={(event) => {
        chosen.value = event.currentTarget.value;
      }}
    >
      {containersOf(pod).map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
