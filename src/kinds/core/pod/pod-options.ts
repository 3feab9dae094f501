import { bool, int32, int64, string, time } from '../../../schema/scalars.ts';
import { f, type Infer, kind, list } from '../../../schema/schema.ts';

// Options of the same name are published as one parameter, so they have one description.
const CONTAINER = 'Container of the pod that is meant. May be left out if the pod has only one.';

const STREAMS = {
  stdin: f(1, bool(), 'Sends the standard input of the client to the process. False by default.'),
  stdout: f(2, bool(), 'Sends the standard output of the process to the client; only if true.'),
  stderr: f(
    3,
    bool(),
    'Sends the error output of the process to the client; only if true. With a terminal it is part of stdout.',
  ),
  tty: f(
    4,
    bool(),
    'Connects through a terminal; to attach, the container must have been started with one. False by default.',
  ),
  container: f(5, string(), CONTAINER),
};

export const PodAttachOptions = kind('core.v1.PodAttachOptions', STREAMS, {
  description: 'What a client asks for that attaches to a running container. Sent as the query of the request.',
});
export type PodAttachOptions = Infer<typeof PodAttachOptions>;

export const PodExecOptions = kind(
  'core.v1.PodExecOptions',
  {
    ...STREAMS,
    command: f(
      6,
      list(string()).required(),
      'Command and its arguments, run without a shell. In the query, one parameter for each word.',
    ),
  },
  {
    description: 'What a client asks for that runs a command in a running container. Sent as the query of the request.',
  },
);
export type PodExecOptions = Infer<typeof PodExecOptions>;

export const PodLogOptions = kind(
  'core.v1.PodLogOptions',
  {
    container: f(1, string(), CONTAINER),
    follow: f(2, bool(), 'Keeps the answer open and sends new lines as they are written. False by default.'),
    previous: f(
      3,
      bool(),
      'Shows the log of the previous run of the container, before it was restarted. False by default.',
    ),
    sinceSeconds: f(
      4,
      int64().optional(),
      'Shows only what was written in the last so many seconds; at least 1. Excludes sinceTime.',
    ),
    sinceTime: f(
      5,
      time().optional(),
      'Shows only what was written since this time (RFC 3339). Excludes sinceSeconds.',
    ),
    timestamps: f(6, bool(), 'Begins every line with the time it was written. False by default.'),
    tailLines: f(
      7,
      int64().optional(),
      'Shows only so many lines from the end. Unset: from the beginning, or from sinceSeconds or sinceTime.',
    ),
    limitBytes: f(
      8,
      int64().optional(),
      'Ends the answer after so many bytes, even within a line; at least 1. Unset: no limit.',
    ),
    insecureSkipTLSVerifyBackend: f(
      9,
      bool(),
      'Does not check the certificate of the node the log comes from: the answer may then come from someone else. False by default.',
    ),
  },
  {
    description:
      'Which part of the log of a container is asked for, and how it is shown. Sent as the query of the request.',
  },
);
export type PodLogOptions = Infer<typeof PodLogOptions>;

export const PodPortForwardOptions = kind(
  'core.v1.PodPortForwardOptions',
  {
    ports: f(1, list(int32()), 'Ports to forward; needed when the connection is a web socket.'),
  },
  { description: 'Which ports of a pod a client wants to reach. Sent as the query of the request.' },
);
export type PodPortForwardOptions = Infer<typeof PodPortForwardOptions>;
