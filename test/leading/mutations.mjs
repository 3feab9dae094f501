/** Ways to break leader election on purpose: histories that do not notice one are worth nothing. */
export const LEADER_MUTATIONS = {
  'counts its term from the answer on': [
    'leading/leadership.ts',
    'await this.#lead(begun + this.#times.termMs)',
    'await this.#lead(this.#parts.runtime.monotonic() + this.#times.termMs)',
  ],
  'believes the time that a Lease says': [
    'leading/leadership.ts',
    'return now - this.#sign.at <',
    "return this.#parts.runtime.now() - Date.parse(spec.renewTime ?? '') <",
  ],
  'goes on when it cannot renew': ['leading/leadership.ts', '() => void this.#stop());', '() => undefined);'],
  'writes over what another wrote': [
    'leading/leadership.ts',
    'resourceVersion: current?.metadata.resourceVersion',
    "resourceVersion: ''",
  ],
  'takes a Lease that it has just seen': [
    'leading/leadership.ts',
    'if (this.#sign?.text !== text) this.#sign = { text, at: now };',
    'this.#sign ??= { text, at: now };',
  ],
  'keeps the Lease when it is closed': [
    'leading/leadership.ts',
    'if (led) await this.#release()',
    'if (led) await Promise.resolve()',
  ],
  'does not count who came before': [
    'leading/leadership.ts',
    'leaseTransitions : leaseTransitions + 1',
    'leaseTransitions : leaseTransitions',
  ],
  'waits for an answer without end': [
    'leading/leadership.ts',
    'const timer = runtime.after(this.#times.termMs,',
    'const timer = runtime.after(1e12,',
  ],
};
