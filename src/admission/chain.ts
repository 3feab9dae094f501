import type { Admission, AdmissionRequest } from '../registry/admission.ts';

/** One plugin. Both phases throw an ApiError to refuse; only `mutate` may change the object. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly AdmissionRequest['operation'][];
  mutate?(request: AdmissionRequest): void | Promise<void>;
  validate?(request: AdmissionRequest): void | Promise<void>;
}

type Phase = 'mutate' | 'validate';

/** Plugins in order: all mutating ones, later all validating ones. The first refusal ends the request. */
export class AdmissionChain implements Admission {
  private readonly plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.plugins = plugins;
  }

  mutate(request: AdmissionRequest): Promise<void> | void {
    return this.run('mutate', request, 0);
  }

  validate(request: AdmissionRequest): Promise<void> | void {
    return this.run('validate', request, 0);
  }

  /** Stays synchronous as long as the plugins are: most writes meet none that has to wait. */
  private run(phase: Phase, request: AdmissionRequest, from: number): Promise<void> | void {
    for (let at = from; at < this.plugins.length; at++) {
      const plugin = this.plugins[at];
      if (!plugin?.operations.includes(request.operation)) continue;
      const waiting = plugin[phase]?.(request);
      if (waiting) return waiting.then(() => this.run(phase, request, at + 1));
    }
  }
}
