import { f, type Infer, struct } from '../../schema/schema.ts';
import { ExecAction, HTTPGetAction, TCPSocketAction } from './probe.ts';

export const LifecycleHandler = struct('core.v1.LifecycleHandler', {
  exec: f(1, ExecAction.optional()),
  httpGet: f(2, HTTPGetAction.optional()),
  tcpSocket: f(3, TCPSocketAction.optional()),
});
export type LifecycleHandler = Infer<typeof LifecycleHandler>;

export const Lifecycle = struct('core.v1.Lifecycle', {
  postStart: f(1, LifecycleHandler.optional()),
  preStop: f(2, LifecycleHandler.optional()),
});
export type Lifecycle = Infer<typeof Lifecycle>;
