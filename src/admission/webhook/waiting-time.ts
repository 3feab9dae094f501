import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Runtime } from '../../runtime/runtime.ts';

/** Waits for webhooks on behalf of a request, and tells it for how long: its own time is counted without that. */
export async function waitFor(runtime: Runtime, request: AdmissionRequest, answers: Promise<void>): Promise<void> {
  const began = runtime.monotonic();
  try {
    await answers;
  } finally {
    request.waited(runtime.monotonic() - began);
  }
}
