import type { PlannedPlugin } from '../admission/plugin-choice.ts';
import type { Release } from '../api/release.ts';
import { SigningAuthorities } from '../controllers/certificates/signing-authorities.ts';
import type { LoopChoice } from '../controllers/loop-choice.ts';
import { readLoopChoice } from '../controllers/loop-table.ts';
import { versionOf } from '../discovery/version.ts';
import type { ProxyCertificate } from '../extension/aggregation/backend-access.ts';
import { Features } from '../features/features.ts';
import type { Connector } from '../handlers/connect/connector.ts';
import { cipherSuites } from '../http/cipher-suites.ts';
import type { TlsRules } from '../http/secure-server.ts';
import { builtInCatalogue } from '../kinds/built-in.ts';
import { parseServiceRanges, type ServiceRanges } from '../kinds/core/service/service-ranges.ts';
import { ServerMetrics } from '../observe/metrics/server-metrics.ts';
import { CLUSTER_NETWORK, type ClusterNetwork } from '../outbound/network.ts';
import type { Catalogue } from '../registry/catalogue.ts';
import { beginOrEnd } from '../runtime/closing.ts';
import type { Settings } from '../settings/settings.ts';
import { type Vocabulary, vocabularyNamed } from '../vocabulary/vocabulary.ts';
import { planAdmission } from './admission.ts';
import type { Audit, AuditParts } from './audit.ts';
import { type PlannedAuthentication, planAuthentication } from './authentication.ts';
import { sharedAuthority } from './authority.ts';
import { type Authorization, authorizationFor } from './authorization.ts';
import { connectionsFor } from './connections.ts';
import { type Credentials, frontTrust, pkiOptionsOf, readCredentials, rereadTrust } from './credentials.ts';
import { prepareDataDirectory } from './data-directory.ts';
import type { Encryption, EncryptionOptions } from './encryption.ts';
import type { FrontAuthentication, FrontParts } from './front.ts';
import { historyRetentionFor } from './history-retention.ts';
import { refuseNoSeats } from './limits.ts';
import { type CheckedOptions, checkOptions, type StartOptions } from './options.ts';
import { readProxyCertificate } from './proxy-certificate.ts';

/**
 * What one plane is made of. Everything that settings and the files they name can get wrong is found out here, before a
 * store is opened.
 */
export interface Plan extends CheckedOptions {
  readonly vocabulary: Vocabulary;
  /** The release that the server is of. */
  readonly release: Release;
  readonly features: Features;
  /** How pods, services and nodes are reached. */
  readonly network: ClusterNetwork;
  /** How the server in front of this one tells who asks; undefined: there is none, or it is not asked. */
  readonly front: FrontAuthentication | undefined;
  readonly catalogue: Catalogue;
  readonly metrics: ServerMetrics;
  readonly serviceRanges: ServiceRanges;
  /** Collections whose past is remembered for longer than `historyRetention`, in milliseconds. */
  readonly retentionFor: ReadonlyMap<string, number>;
  readonly tls: TlsRules;
  readonly credentials: Credentials;
  /** What is shown to servers that answer for an APIService. */
  readonly proxyCertificate: ProxyCertificate;
  /** What certificates are signed with that clients ask for. */
  readonly signers: SigningAuthorities;
  readonly authentication: PlannedAuthentication;
  readonly authorization: Authorization;
  readonly admission: readonly PlannedPlugin[];
  /** Which control loops run. */
  readonly loops: LoopChoice;
  /** What leads out of the server, by `connectorKey`. */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Absent: no request is recorded. */
  readonly audit: Audit | undefined;
  /** Absent: objects are stored as they are. */
  readonly encryption: Encryption | undefined;
  /** Lets go of connections to others, when the plane and its store are closed. */
  close(): Promise<void>;
}

/** Rejects with an Error of one clear line when options do not fit. Makes the data directory and what is missing in it. */
export const planPlane = (options: StartOptions): Promise<Plan> =>
  beginOrEnd(async (closing) => {
    const checked = checkOptions(options);
    const { runtime, logger } = checked;
    const release = checked.settings.emulatedVersion;
    const features = new Features(checked.settings.featureGates, release);
    const vocabulary = vocabularyNamed(checked.settings.vocabulary);
    const front = await frontFor({ ...checked, vocabulary });
    closing.add(() => front?.close());
    const settings = withFeatures(front?.completed(checked.settings) ?? checked.settings, features);
    for (const warning of features.warnings) logger.warn({}, warning);
    const catalogue = builtInCatalogue(vocabulary, settings.runtimeConfig, release, features);
    const metrics = new ServerMetrics({
      catalogue,
      runtime,
      vocabulary,
      release,
      features,
      build: versionOf(release),
      showHiddenFor: settings.showHiddenMetricsForVersion ?? '',
      disabled: settings.disabledMetrics,
      allowedLabels: settings.allowMetricLabels,
      limiting: settings.enablePriorityAndFairness ? 'priorityandfairness' : 'maxinflight',
      mostInFlight: { reading: settings.maxRequestsInflight, changing: settings.maxMutatingRequestsInflight },
    });
    const common = { settings, runtime, vocabulary, logger, recorder: metrics.recorder };
    const serviceRanges = parseServiceRanges(settings.serviceClusterIpRange, settings.serviceNodePortRange);
    const retentionFor = historyRetentionFor(settings, vocabulary);
    const tls = tlsRules(settings);
    const own = await credentialsFor(checked, vocabulary);
    const credentials = front ? rereadTrust(settings, { ...own, front: frontTrust(front.info) }) : own;
    const proxyCertificate = readProxyCertificate(settings);
    const signers = new SigningAuthorities(settings, vocabulary, credentials.ca);
    const authorization = await authorizationFor(common);
    closing.add(() => authorization.close());
    const network = { ...CLUSTER_NETWORK, ...checked.network };
    const connectors = connectionsFor(settings, vocabulary, runtime, network);
    const admission = await planAdmission(settings, vocabulary);
    const loops = readLoopChoice(settings.controllers);
    refuseNoSeats(settings);
    const authentication = await planAuthentication({
      ...common,
      credentials,
      meter: metrics.credentials,
      allowsEverything: () => authorization.allowsEverything(),
    });
    closing.add(() => authentication.close());
    const encryption = await encryptionWith({ ...common, file: settings.encryptionProviderConfig });
    closing.add(() => encryption?.close());
    const audit = await auditWith({ ...common, catalogue });
    closing.add(() => audit?.close());
    return {
      ...checked,
      settings,
      vocabulary,
      release,
      features,
      front,
      network,
      catalogue,
      metrics,
      serviceRanges,
      retentionFor,
      tls,
      credentials,
      proxyCertificate,
      signers,
      authentication,
      authorization,
      admission,
      loops,
      connectors,
      audit,
      encryption,
      close: () => closing.run(),
    };
  });

/** What a flag switches on needs its feature too. */
const withFeatures = (settings: Settings, features: Features): Settings => ({
  ...settings,
  enablePriorityAndFairness: settings.enablePriorityAndFairness && features.isOn('APIPriorityAndFairness'),
});

const tlsRules = ({ tlsMinVersion, tlsCipherSuites }: Settings): TlsRules => ({
  minVersion: tlsMinVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
  ciphers: cipherSuites(tlsCipherSuites),
});

async function credentialsFor(
  { settings, dataDir, runtime, prepared }: CheckedOptions,
  vocabulary: Vocabulary,
): Promise<Credentials> {
  if (dataDir !== undefined) prepareDataDirectory(dataDir);
  const pki = pkiOptionsOf(settings, vocabulary, runtime);
  const authority = await sharedAuthority({ settings, dataDir, pki, runtime });
  return readCredentials(settings, dataDir, { ...pki, authority }, prepared?.pki);
}

/** Loaded when asked for: without a configuration nothing is encrypted. */
async function encryptionWith({
  file,
  ...options
}: Omit<EncryptionOptions, 'file'> & { readonly file: string | undefined }): Promise<Encryption | undefined> {
  if (file === undefined) return undefined;
  const { encryptionFrom } = await import('./encryption.ts');
  return encryptionFrom({ ...options, file });
}

/** Loaded when asked for: few servers have one in front. */
async function frontFor(parts: FrontParts): Promise<FrontAuthentication | undefined> {
  if (parts.settings.authenticationKubeconfig === undefined) return undefined;
  const { FrontAuthentication } = await import('./front.ts');
  return FrontAuthentication.open(parts);
}

/** Loaded when asked for: without a policy nothing is recorded. */
async function auditWith(parts: AuditParts): Promise<Audit | undefined> {
  if (parts.settings.auditPolicyFile === undefined) return undefined;
  const { auditFor } = await import('./audit.ts');
  return auditFor(parts, parts.settings.auditPolicyFile);
}
