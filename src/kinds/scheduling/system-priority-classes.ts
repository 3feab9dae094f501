/** The classes that the plane itself stands on: they are always there. */
export const systemPriorityClasses = [
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description: 'For pods without which the plane does not work, wherever they run.',
  },
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'For pods without which their node does not work: they can be moved nowhere else.',
  },
] as const;

/** Why a class cannot be deleted, if it cannot. */
export const keepsSystemClass = (name: string): string | undefined =>
  systemPriorityClasses.some((one) => one.name === name)
    ? 'this is a system priority class and cannot be deleted'
    : undefined;
