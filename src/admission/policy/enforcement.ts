import { ApiError } from '../../api/errors.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { refusal } from '../refusal.ts';
import type { Judgement, Violation } from './judgement.ts';

/** Where a judgement comes from. */
export interface JudgedBy {
  readonly policy: string;
  readonly binding: string;
  readonly actions: readonly string[];
  readonly failsOpen: boolean;
}

/** More of the texts of one annotation is not recorded. */
const LONGEST_ANNOTATION = 10 * 1024;

/** Gathers what all policies found, and does at the end what their bindings say is to be done about it. */
export class Enforcement {
  readonly #denials: { readonly message: string; readonly reason: string }[] = [];
  readonly #warnings: string[] = [];
  readonly #failures: object[] = [];
  #annotations: Map<string, Set<string>> | undefined;

  /** The policy or the binding could not be used: whatever the binding says, the request is refused if that is to count. */
  misconfigured(by: JudgedBy, message: string): void {
    if (!by.failsOpen) this.#deny(by, message, '');
  }

  add(by: JudgedBy, { violations, annotations, failedAnnotations }: Judgement): void {
    for (const violation of violations) this.#violated(by, violation);
    for (const message of failedAnnotations) if (!by.failsOpen) this.#deny(by, message, '');
    for (const { key, value } of annotations) {
      const full = `${by.policy}/${key}`;
      this.#annotations ??= new Map();
      this.#annotations.set(full, (this.#annotations.get(full) ?? new Set()).add(value));
    }
  }

  /** Throws the first refusal, once all is told and recorded. */
  enforce(request: AdmissionRequest, { auditAnnotations }: Vocabulary): void {
    for (const warning of this.#warnings) request.warn(warning);
    for (const [key, values] of this.#annotations ?? []) {
      request.annotate(key, [...values].join(', ').slice(0, LONGEST_ANNOTATION));
    }
    if (this.#failures.length > 0) {
      request.annotate(auditAnnotations.policyValidationFailure, JSON.stringify(this.#failures));
    }
    const [denial] = this.#denials;
    if (denial) throw denied(request, denial.message, denial.reason);
  }

  #violated(by: JudgedBy, { message, reason, expressionIndex }: Violation): void {
    const { policy, binding, actions } = by;
    for (const action of actions) {
      if (action === 'Deny') this.#deny(by, message, reason);
      else if (action === 'Warn') {
        this.#warnings.push(
          `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`,
        );
      } else if (action === 'Audit') {
        this.#failures.push({ message, policy, binding, expressionIndex, validationActions: actions });
      }
    }
  }

  #deny({ policy, binding }: JudgedBy, message: string, reason: string): void {
    const text = `ValidatingAdmissionPolicy '${policy}' with binding '${binding}' denied request: ${message}`;
    this.#denials.push({ message: text, reason });
  }
}

const DEFAULT_REASON = 'Invalid';

/** The refusal of a policy; 422 unless it has another reason. */
export function denied(request: AdmissionRequest, message: string, reason: string): ApiError {
  const { message: text, details } = refusal(request, message);
  return new ApiError(reason || DEFAULT_REASON, text, { ...details, causes: [{ message }] });
}
