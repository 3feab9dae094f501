/** A document to apply, in YAML or its subset JSON. */
export const APPLY_MEDIA_TYPE = 'application/apply-patch+yaml';
