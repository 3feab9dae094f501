import { f, type Infer, struct } from '../../../schema/schema.ts';
import { ExecAction, HTTPGetAction, TCPSocketAction } from './probe.ts';

export const LifecycleHandler = struct(
  'core.v1.LifecycleHandler',
  {
    exec: f(1, ExecAction.optional(), 'Command to run in the container.'),
    httpGet: f(2, HTTPGetAction.optional(), 'HTTP request to send.'),
    tcpSocket: f(3, TCPSocketAction.optional(), 'Accepted for compatibility only: a hook with it fails when it runs.'),
  },
  { description: 'What to do at a point in the life of a container; exactly one field.' },
);
export type LifecycleHandler = Infer<typeof LifecycleHandler>;

export const Lifecycle = struct(
  'core.v1.Lifecycle',
  {
    postStart: f(
      1,
      LifecycleHandler.optional(),
      'Run right after the container is created, beside its command. If it fails the container is killed and restarted if its policy says so.',
    ),
    preStop: f(
      2,
      LifecycleHandler.optional(),
      'Run before the container is stopped by the platform, within the grace period of the pod; not when it ends by itself.',
    ),
  },
  { description: 'Hooks that run right after a container has started and before it is stopped.' },
);
export type Lifecycle = Infer<typeof Lifecycle>;
