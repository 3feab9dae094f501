export function bundle(outdir: string): Promise<unknown>;
