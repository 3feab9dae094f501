import { EMULATED_RELEASES, RELEASE } from '../api/release.ts';
import { choice, type Setting, switches } from './flag.ts';

/** Flags about what this release serves and does, and others would. */
export const RELEASE_FLAGS = {
  runtimeConfig: switches(
    'runtime-config',
    'KEY[=true|false],...',
    'versions to serve or not: <group>/<version>[/<resource>], api/all, api/ga, api/beta, api/alpha',
  ),
  featureGates: switches(
    'feature-gates',
    'NAME=true|false,...',
    'features to switch on and off; AllAlpha and AllBeta for all of a stage that are not named themselves',
  ),
  emulatedVersion: choice(
    'emulated-version',
    EMULATED_RELEASES,
    RELEASE,
    'release to be like in what is no longer served and which features are on, to see what an upgrade would break',
  ),
} as const satisfies Record<string, Setting<unknown>>;
