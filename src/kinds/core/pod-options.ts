import { bool, int32, int64, string, time } from '../../schema/scalars.ts';
import { f, type Infer, kind, list } from '../../schema/schema.ts';

export const PodAttachOptions = kind('core.v1.PodAttachOptions', {
  stdin: f(1, bool()),
  stdout: f(2, bool()),
  stderr: f(3, bool()),
  tty: f(4, bool()),
  container: f(5, string()),
});
export type PodAttachOptions = Infer<typeof PodAttachOptions>;

export const PodExecOptions = kind('core.v1.PodExecOptions', {
  stdin: f(1, bool()),
  stdout: f(2, bool()),
  stderr: f(3, bool()),
  tty: f(4, bool()),
  container: f(5, string()),
  command: f(6, list(string()).required()),
});
export type PodExecOptions = Infer<typeof PodExecOptions>;

export const PodLogOptions = kind('core.v1.PodLogOptions', {
  container: f(1, string()),
  follow: f(2, bool()),
  previous: f(3, bool()),
  sinceSeconds: f(4, int64().optional()),
  sinceTime: f(5, time().optional()),
  timestamps: f(6, bool()),
  tailLines: f(7, int64().optional()),
  limitBytes: f(8, int64().optional()),
  insecureSkipTLSVerifyBackend: f(9, bool()),
});
export type PodLogOptions = Infer<typeof PodLogOptions>;

export const PodPortForwardOptions = kind('core.v1.PodPortForwardOptions', {
  ports: f(1, list(int32())),
});
export type PodPortForwardOptions = Infer<typeof PodPortForwardOptions>;
