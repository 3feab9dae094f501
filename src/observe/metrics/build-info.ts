import type { Recorder } from './recorder.ts';

/** What was built, as `/version` says it. */
export interface BuildInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

export function collectBuildInfo(recorder: Recorder, build: BuildInfo): void {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = build;
  const labels = [major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform];
  recorder.collect('build_info', () => [{ labels, value: 1 }]);
}
