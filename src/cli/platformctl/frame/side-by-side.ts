/** What became of a piece of work. */
export type Outcome<R> = { readonly value: R } | { readonly failure: unknown };

/**
 * Does the same with many things, some at a time, and gives the outcomes in the order of the things. One that fails does
 * not keep the others from being done.
 */
export async function* sideBySide<T, R>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<R>,
): AsyncGenerator<Outcome<R>> {
  const underWay: Promise<Outcome<R>>[] = [];
  let next = 0;
  const begin = (): void => {
    const thing = things[next++] as T;
    underWay.push(
      work(thing).then(
        (value) => ({ value }),
        (failure: unknown) => ({ failure }),
      ),
    );
  };
  for (let given = 0; given < things.length; given++) {
    while (next < things.length && next < given + atOnce) begin();
    const outcome = await underWay[given];
    if (outcome) yield outcome;
  }
}
