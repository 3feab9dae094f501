/** What a container has written: text, or lines. */
export type LogText = string | readonly string[];

/** What a command that is run in a container does. */
export interface ExecResult {
  readonly stdout?: string | Uint8Array | undefined;
  readonly stderr?: string | Uint8Array | undefined;
  /** 0 unless given. */
  readonly code?: number | undefined;
}

/** Answers for a command. `stdin`: all of its input. What it returns as text is standard output. */
export type ExecScript = (
  command: readonly string[],
  stdin: string,
) => ExecResult | string | Promise<ExecResult | string>;

/** Which pod is meant: its name in the namespace `default`, or both. */
export type PodName =
  | string
  | { readonly metadata: { readonly namespace?: string | undefined; readonly name?: string | undefined } };

/** What pods answer, by which pod it is. */
export class Scripts {
  readonly #logs = new Map<string, string>();
  readonly #execs = new Map<string, ExecScript>();

  setLog(pod: PodName, log: LogText): void {
    this.#logs.set(podKey(pod), typeof log === 'string' ? log : log.map((line) => `${line}\n`).join(''));
  }

  setExec(pod: PodName, script: ExecScript): void {
    this.#execs.set(podKey(pod), script);
  }

  /** '' for a pod that nothing was said of. */
  log(key: string): string {
    return this.#logs.get(key) ?? '';
  }

  exec(key: string): ExecScript | undefined {
    return this.#execs.get(key);
  }
}

/** `namespace/name`. */
function podKey(pod: PodName): string {
  if (typeof pod !== 'string') return `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`;
  return pod.includes('/') ? pod : `default/${pod}`;
}
