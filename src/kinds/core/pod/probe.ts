import { int32, int64, intOrString, string } from '../../../schema/scalars.ts';
import { f, type Infer, inline, list, struct } from '../../../schema/schema.ts';

export const ExecAction = struct(
  'core.v1.ExecAction',
  {
    command: f(
      1,
      list(string()),
      'Command and its arguments, run without a shell in the root directory of the container. Exit code 0 means success. Required.',
    ),
  },
  { description: 'Runs a command in the container.' },
);
export type ExecAction = Infer<typeof ExecAction>;

export const HTTPHeader = struct(
  'core.v1.HTTPHeader',
  {
    name: f(
      1,
      string().required(),
      'Name of the header, in any case. Several entries with the same name are all sent.',
    ),
    value: f(2, string().required(), 'Value of the header, sent as it is.'),
  },
  { description: 'A header of an HTTP request.' },
);
export type HTTPHeader = Infer<typeof HTTPHeader>;

export const HTTPGetAction = struct(
  'core.v1.HTTPGetAction',
  {
    path: f(1, string().default('/'), 'Path to ask for; / by default.'),
    port: f(
      2,
      intOrString().required(),
      'Port to connect to: a number from 1 to 65535, or the name of a port of the container.',
    ),
    host: f(
      3,
      string(),
      'Host to connect to. Unset: the address of the pod. To set only the host name in the request use a Host header.',
    ),
    scheme: f(
      4,
      string().oneOf('HTTP', 'HTTPS').default('HTTP'),
      'HTTP or HTTPS, whose certificate is not checked. HTTP by default.',
    ),
    httpHeaders: f(5, list(HTTPHeader), 'Headers to send with the request.'),
  },
  { description: 'Sends an HTTP GET request. A status from 200 to 399 means success.' },
);
export type HTTPGetAction = Infer<typeof HTTPGetAction>;

export const TCPSocketAction = struct(
  'core.v1.TCPSocketAction',
  {
    port: f(
      1,
      intOrString().required(),
      'Port to connect to: a number from 1 to 65535, or the name of a port of the container.',
    ),
    host: f(2, string(), 'Host to connect to. Unset: the address of the pod.'),
  },
  { description: 'Opens a TCP connection. It succeeds if the port accepts it.' },
);
export type TCPSocketAction = Infer<typeof TCPSocketAction>;

export const GRPCAction = struct(
  'core.v1.GRPCAction',
  {
    port: f(1, int32().required(), 'Port of the gRPC server, from 1 to 65535.'),
    service: f(
      2,
      string().optional().always().publishedDefault(''),
      'Name of the service to ask about, as the server knows it. Empty (default): the server as a whole.',
    ),
  },
  { description: 'Calls the standard health check of a gRPC server.' },
);
export type GRPCAction = Infer<typeof GRPCAction>;

export const ProbeHandler = struct(
  'core.v1.ProbeHandler',
  {
    exec: f(1, ExecAction.optional(), 'Command to run in the container; succeeds with exit code 0.'),
    httpGet: f(2, HTTPGetAction.optional(), 'HTTP request to send; succeeds with a status from 200 to 399.'),
    tcpSocket: f(3, TCPSocketAction.optional(), 'TCP connection to open; succeeds if it is accepted.'),
    grpc: f(4, GRPCAction.optional(), 'gRPC health check to call; succeeds if the service answers that it is serving.'),
  },
  { description: 'What a probe does; exactly one field.' },
);
export type ProbeHandler = Infer<typeof ProbeHandler>;

export const Probe = struct(
  'core.v1.Probe',
  {
    handler: inline(1, ProbeHandler),
    initialDelaySeconds: f(
      2,
      int32(),
      'Seconds to wait after the start of the container before the first check. 0 by default.',
    ),
    timeoutSeconds: f(3, int32().default(1), 'Seconds after which a check without an answer has failed. 1 by default.'),
    periodSeconds: f(4, int32().default(10), 'Seconds between two checks. 10 by default.'),
    successThreshold: f(
      5,
      int32().default(1),
      'How many checks in a row must succeed after a failure. 1 by default; must be 1 for liveness and startup probes.',
    ),
    failureThreshold: f(
      6,
      int32().default(3),
      'How many checks in a row must fail before the probe counts as failed. 3 by default.',
    ),
    terminationGracePeriodSeconds: f(
      7,
      int64().optional(),
      'Seconds the container has to end when this probe fails; at least 1. Unset: that of the pod. Not for readiness probes.',
    ),
  },
  {
    description:
      'A check that a node repeats on a container. Exactly one of exec, httpGet, tcpSocket and grpc must be set.',
  },
);
export type Probe = Infer<typeof Probe>;
