/** How the deletion of a namespace stands. */
export interface NamespaceFindings {
  /** Versions that could not be asked what they serve, and why. */
  readonly undiscovered: ReadonlyMap<string, string>;
  /** What kept content from being deleted. */
  readonly failures: readonly string[];
  /** How many objects there still are, by resource: `deployments.apps`, `pods.`. */
  readonly remaining: ReadonlyMap<string, number>;
  /** How many objects each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
}
