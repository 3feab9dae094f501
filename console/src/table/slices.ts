/** How long work goes on before others have their turn: input, painting. */
const SLICE_MS = 6;
const RUN = 1_024;

/** Lets everything else that waits have its turn. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

/** Work in slices: ask now and then, and wait when told to. */
export class Slices {
  #until = performance.now() + SLICE_MS;

  async rest(): Promise<void> {
    if (performance.now() < this.#until) return;
    await turn();
    this.#until = performance.now() + SLICE_MS;
  }
}

/** Sorts like `Array.prototype.sort`, without ever working long at a stretch. */
export async function sortInSlices<T>(
  values: readonly T[],
  compare: (a: T, b: T) => number,
  slices: Slices,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < values.length; start += RUN) {
    runs.push(values.slice(start, start + RUN).sort(compare));
    await slices.rest();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(await merge(runs[i] ?? [], runs[i + 1] ?? [], compare, slices));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(a: T[], b: T[], compare: (a: T, b: T) => number, slices: Slices): Promise<T[]> {
  const [lastOfA, firstOfB] = [a[a.length - 1], b[0]];
  if (lastOfA === undefined || firstOfB === undefined) return a.length > 0 ? a : b;
  if (compare(lastOfA, firstOfB) <= 0) return a.concat(b);
  const result: T[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [left, right] = [a[i], b[j]];
    if (left === undefined || right === undefined) break;
    if (compare(left, right) <= 0) {
      result.push(left);
      i++;
    } else {
      result.push(right);
      j++;
    }
    if ((i + j) % RUN === 0) await slices.rest();
  }
  return result.concat(a.slice(i), b.slice(j));
}
