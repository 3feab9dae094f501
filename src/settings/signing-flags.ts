import { duration, type FlagValues, optionalText } from './flag.ts';

const YEAR_MS = 365 * 24 * 3_600_000;

const certificate = (name: string, what: string) =>
  optionalText(name, 'FILE', `PEM certificate of the authority for ${what}; then signers without one do not sign`);
const key = (name: string) => optionalText(name, 'FILE', 'PEM key of that certificate');

/** By whom certificates are signed that are asked for. */
export const SIGNING_FLAGS = {
  clusterSigningCertFile: optionalText(
    'cluster-signing-cert-file',
    'FILE',
    'PEM certificate of the authority that signs approved requests; by default that of the server itself',
  ),
  clusterSigningKeyFile: optionalText('cluster-signing-key-file', 'FILE', 'PEM key of that certificate'),
  clusterSigningKubeletServingCertFile: certificate(
    'cluster-signing-kubelet-serving-cert-file',
    'serving certificates of nodes',
  ),
  clusterSigningKubeletServingKeyFile: key('cluster-signing-kubelet-serving-key-file'),
  clusterSigningKubeletClientCertFile: certificate(
    'cluster-signing-kubelet-client-cert-file',
    'client certificates of nodes',
  ),
  clusterSigningKubeletClientKeyFile: key('cluster-signing-kubelet-client-key-file'),
  clusterSigningKubeApiserverClientCertFile: certificate(
    'cluster-signing-kube-apiserver-client-cert-file',
    'certificates of other clients',
  ),
  clusterSigningKubeApiserverClientKeyFile: key('cluster-signing-kube-apiserver-client-key-file'),
  clusterSigningLegacyUnknownCertFile: certificate(
    'cluster-signing-legacy-unknown-cert-file',
    'requests of the first version of the interface',
  ),
  clusterSigningLegacyUnknownKeyFile: key('cluster-signing-legacy-unknown-key-file'),
  clusterSigningDuration: duration(
    'cluster-signing-duration',
    YEAR_MS,
    'how long signed certificates last; requests may ask for less',
  ),
} as const;

export type SigningSettings = FlagValues<typeof SIGNING_FLAGS>;
