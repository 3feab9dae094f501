import type { TokenMethod } from '../authentication/bearer-tokens.ts';
import {
  type AnonymousConfiguration,
  type AuthenticationConfiguration,
  readAuthenticationConfiguration,
} from '../authentication/configuration/authentication-configuration.ts';
import { ConfiguredIssuers } from '../authentication/configuration/configured-issuers.ts';
import type { Logger } from '../observe/logging/logger.ts';
import type { Recorder } from '../observe/metrics/recorder.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { followConfiguration } from './followed-configuration.ts';

/** What an AuthenticationConfiguration gives, as it is now. */
export interface AuthenticationFile {
  readonly tokens: TokenMethod;
  /** Undefined: flags say whether requests without credentials are let in. */
  anonymous(): AnonymousConfiguration | undefined;
  close(): void;
}

export interface AuthenticationFileParts {
  readonly file: string;
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly vocabulary: Vocabulary;
  readonly logger: Logger;
  readonly recorder: Recorder;
  /** What this server is called as an audience. */
  readonly own: readonly string[];
  /** Whose tokens are those of service accounts. */
  readonly ownIssuers: readonly string[];
}

/** Rejects with what to tell the operator when the file makes no sense. */
export async function authenticationFromFile(parts: AuthenticationFileParts): Promise<AuthenticationFile> {
  const { settings, runtime, logger, vocabulary, own, ownIssuers } = parts;
  const tokens = new ConfiguredIssuers({
    own,
    runtime,
    onError: (error, issuer) => logger.warn({ err: error, issuer }, 'the keys of an issuer cannot be had'),
    onRefused: (reason, issuer) => logger.info({ issuer, reason }, 'a token is not accepted'),
  });
  let anonymous: AnonymousConfiguration | undefined;
  const group = vocabulary.configGroups.apiserverConfig;
  const followed = await followConfiguration<AuthenticationConfiguration>({
    ...parts,
    subject: 'authentication',
    async read(text) {
      const configuration = await readAuthenticationConfiguration(text, { group, ownIssuers });
      refuseFlag(settings, configuration);
      return configuration;
    },
    adopt(configuration) {
      tokens.replace(configuration.issuers);
      anonymous = configuration.anonymous;
    },
  });
  return {
    tokens,
    anonymous: () => anonymous,
    close() {
      followed.close();
      tokens.close();
    },
  };
}

/** The flag is on unless switched off: that, and a file that says something about it, contradict each other. */
function refuseFlag({ anonymousAuth }: Settings, { anonymous }: AuthenticationConfiguration): void {
  if (anonymous && !anonymousAuth) throw new Error('anonymous: takes the place of --anonymous-auth: give one of them');
}
