interface BuildOptions {
  /** Declarations of types beside the bundle; unless told otherwise they are made. */
  readonly declarations?: boolean;
}

export function build(outdir: string, options?: BuildOptions): Promise<void>;
export function buildIfChanged(outdir: string, options?: BuildOptions): Promise<boolean>;
