import { join } from 'node:path';
import { vocabularies } from '../../vocabulary/vocabulary.ts';

/** The executable that stands in for the API server has the name of what it stands in for. */
const API_SERVER = vocabularies.kubernetes.components.apiserver;

/**
 * What tells programs of either vocabulary where the plane is, and Go's test environment of controllers that there is one
 * already. Tests that have it start one nevertheless find executables that do.
 */
export function testEnvironment(configFile: string, standIns: string): Readonly<Record<string, string>> {
  const variables = Object.values(vocabularies).map(({ clientConfiguration }) => clientConfiguration.variable);
  return {
    ...Object.fromEntries(variables.map((name) => [name, configFile])),
    USE_EXISTING_CLUSTER: 'true',
    KUBEBUILDER_ASSETS: standIns,
    TEST_ASSET_KUBE_APISERVER: join(standIns, API_SERVER),
    TEST_ASSET_ETCD: join(standIns, 'etcd'),
  };
}
