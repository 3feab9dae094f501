/** Acts on all items, at most so many at the same time. Ends when all have ended; rejects with the first failure then. */
export async function sideBySide<T>(
  items: Iterable<T>,
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      await act(next.value).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failure) throw failure.error;
}
