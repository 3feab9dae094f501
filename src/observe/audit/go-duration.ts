const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Milliseconds as readers of audit logs expect durations: `850ms`, `1.25s`, `2m3.5s`. */
export function goDuration(milliseconds: number): string {
  const rounded = Math.round(milliseconds * 1000) / 1000;
  if (rounded < 1000) return `${rounded}ms`;
  const hours = Math.floor(rounded / HOUR_MS);
  const minutes = Math.floor((rounded % HOUR_MS) / MINUTE_MS);
  const seconds = Math.round(((rounded % MINUTE_MS) / 1000) * 1e6) / 1e6;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
