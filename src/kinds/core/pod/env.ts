import { bool, string } from '../../../schema/scalars.ts';
import { f, type Infer, inline, struct } from '../../../schema/schema.ts';
import { LocalObjectReference } from '../references.ts';
import { ObjectFieldSelector, ResourceFieldSelector } from './downward-api.ts';

export const ConfigMapEnvSource = struct(
  'core.v1.ConfigMapEnvSource',
  {
    localObjectReference: inline(1, LocalObjectReference),
    optional: f(
      2,
      bool().optional(),
      'True starts the container without these variables if the config map does not exist; otherwise it waits for it.',
    ),
  },
  { description: 'A config map whose entries all become environment variables.' },
);
export type ConfigMapEnvSource = Infer<typeof ConfigMapEnvSource>;

export const SecretEnvSource = struct(
  'core.v1.SecretEnvSource',
  {
    localObjectReference: inline(1, LocalObjectReference),
    optional: f(
      2,
      bool().optional(),
      'True starts the container without these variables if the secret does not exist; otherwise it waits for it.',
    ),
  },
  { description: 'A secret whose entries all become environment variables.' },
);
export type SecretEnvSource = Infer<typeof SecretEnvSource>;

export const EnvFromSource = struct(
  'core.v1.EnvFromSource',
  {
    prefix: f(1, string(), 'Put before every key to make the name of the variable. Unset: the key alone is the name.'),
    configMapRef: f(2, ConfigMapEnvSource.optional(), 'Config map to take entries from. Excludes secretRef.'),
    secretRef: f(3, SecretEnvSource.optional(), 'Secret to take entries from. Excludes configMapRef.'),
  },
  { description: 'A config map or a secret whose entries become environment variables; exactly one of the two.' },
);
export type EnvFromSource = Infer<typeof EnvFromSource>;

export const ConfigMapKeySelector = struct(
  'core.v1.ConfigMapKeySelector',
  {
    localObjectReference: inline(1, LocalObjectReference),
    key: f(2, string().required(), 'Key of the entry in the config map.'),
    optional: f(
      3,
      bool().optional(),
      'True leaves the variable out if the config map or the key does not exist; otherwise the container waits for it.',
    ),
  },
  { description: 'One key of a config map in the namespace of the pod.', topology: { mapType: 'atomic' } },
);
export type ConfigMapKeySelector = Infer<typeof ConfigMapKeySelector>;

export const SecretKeySelector = struct(
  'core.v1.SecretKeySelector',
  {
    localObjectReference: inline(1, LocalObjectReference),
    key: f(2, string().required(), 'Key of the entry in the secret.'),
    optional: f(
      3,
      bool().optional(),
      'True leaves the value out if the secret or the key does not exist; otherwise it is required.',
    ),
  },
  { description: 'One key of a secret in the namespace of the pod.', topology: { mapType: 'atomic' } },
);
export type SecretKeySelector = Infer<typeof SecretKeySelector>;

export const EnvVarSource = struct(
  'core.v1.EnvVarSource',
  {
    fieldRef: f(
      1,
      ObjectFieldSelector.optional(),
      'A field of the pod: its name, namespace, uid, labels, annotations, node, service account or addresses.',
    ),
    resourceFieldRef: f(
      2,
      ResourceFieldSelector.optional(),
      'A request or limit of a container: processor, memory, ephemeral storage or huge pages.',
    ),
    configMapKeyRef: f(3, ConfigMapKeySelector.optional(), 'An entry of a config map in the namespace of the pod.'),
    secretKeyRef: f(4, SecretKeySelector.optional(), 'An entry of a secret in the namespace of the pod.'),
  },
  { description: 'Where the value of an environment variable comes from; exactly one field.' },
);
export type EnvVarSource = Infer<typeof EnvVarSource>;

export const EnvVar = struct(
  'core.v1.EnvVar',
  {
    name: f(
      1,
      string().required(),
      'Name of the variable: letters, digits, dashes, underscores and dots, not starting with a digit.',
    ),
    value: f(
      2,
      string(),
      'Value of the variable; empty by default. $(NAME) stands for a variable set before it, $$(NAME) for itself. Excludes valueFrom.',
    ),
    valueFrom: f(3, EnvVarSource.optional(), 'Where to take the value from. Excludes a value that is not empty.'),
  },
  { description: 'An environment variable of a container.' },
);
export type EnvVar = Infer<typeof EnvVar>;
