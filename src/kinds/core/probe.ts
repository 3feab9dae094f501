import { int32, int64, intOrString, string } from '../../schema/scalars.ts';
import { f, type Infer, inline, list, struct } from '../../schema/schema.ts';

export const ExecAction = struct('core.v1.ExecAction', {
  command: f(1, list(string())),
});
export type ExecAction = Infer<typeof ExecAction>;

export const HTTPHeader = struct('core.v1.HTTPHeader', {
  name: f(1, string().required()),
  value: f(2, string().required()),
});
export type HTTPHeader = Infer<typeof HTTPHeader>;

export const HTTPGetAction = struct('core.v1.HTTPGetAction', {
  path: f(1, string().default('/')),
  port: f(2, intOrString().required()),
  host: f(3, string()),
  scheme: f(4, string().oneOf('HTTP', 'HTTPS').default('HTTP')),
  httpHeaders: f(5, list(HTTPHeader)),
});
export type HTTPGetAction = Infer<typeof HTTPGetAction>;

export const TCPSocketAction = struct('core.v1.TCPSocketAction', {
  port: f(1, intOrString().required()),
  host: f(2, string()),
});
export type TCPSocketAction = Infer<typeof TCPSocketAction>;

export const GRPCAction = struct('core.v1.GRPCAction', {
  port: f(1, int32().required()),
  service: f(2, string().optional().always().publishedDefault('')),
});
export type GRPCAction = Infer<typeof GRPCAction>;

export const ProbeHandler = struct('core.v1.ProbeHandler', {
  exec: f(1, ExecAction.optional()),
  httpGet: f(2, HTTPGetAction.optional()),
  tcpSocket: f(3, TCPSocketAction.optional()),
  grpc: f(4, GRPCAction.optional()),
});
export type ProbeHandler = Infer<typeof ProbeHandler>;

export const Probe = struct('core.v1.Probe', {
  handler: inline(1, ProbeHandler),
  initialDelaySeconds: f(2, int32()),
  timeoutSeconds: f(3, int32().default(1)),
  periodSeconds: f(4, int32().default(10)),
  successThreshold: f(5, int32().default(1)),
  failureThreshold: f(6, int32().default(3)),
  terminationGracePeriodSeconds: f(7, int64().optional()),
});
export type Probe = Infer<typeof Probe>;
