import { arch, platform } from 'node:process';
import { BUILD, MAJOR, RELEASE, type Release } from '../api/release.ts';
import { type Format, JSON_FORMAT } from '../codec/negotiation.ts';
import { demandRead, type PathHandler } from '../handlers/path-handler.ts';
import { replyWithValue } from '../handlers/respond.ts';
import type { Info } from '../kinds/version/info.ts';

/** Names that other toolchains give to what Node calls differently. */
const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows' };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** What `/version` says of a release. Clients read major, minor and gitVersion; the rest is for people. */
export const versionOf = (release: Release): Info => ({
  major: MAJOR,
  minor: release.slice(release.indexOf('.') + 1),
  gitVersion: `v${release}.5+platform`,
  gitCommit: BUILD.commit,
  gitTreeState: BUILD.treeState,
  buildDate: BUILD.date,
  goVersion: `node${process.versions.node}`,
  compiler: 'v8',
  platform: `${PLATFORMS[platform] ?? platform}/${ARCHITECTURES[arch] ?? arch}`,
});

/** As this server is without being told to be like another release. */
export const versionInfo: Info = versionOf(RELEASE);

/** For people first, whoever asks. */
const FORMAT: Format = { ...JSON_FORMAT, indented: true };

/** Answers `/version`, in JSON whatever the client accepts: the first thing to know must not depend on anything. */
export function versionHandler(info: Info): PathHandler {
  return (context) => {
    const { path } = context.info;
    if (path !== '/version' && path !== '/version/') return undefined;
    demandRead(context);
    return replyWithValue(200, info, FORMAT);
  };
}
