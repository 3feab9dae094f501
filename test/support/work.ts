/**
 * How long the processor was at work for this process meanwhile, in milliseconds. Unlike time on a clock, what others do
 * on the machine is not in it.
 */
export async function workOf(action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
