import { string } from '../../../schema/scalars.ts';
import { f, type Infer, struct } from '../../../schema/schema.ts';

export const ConfigMapNodeConfigSource = struct(
  'core.v1.ConfigMapNodeConfigSource',
  {
    namespace: f(1, string().required(), 'Namespace of the config map.'),
    name: f(2, string().required(), 'Name of the config map.'),
    uid: f(3, string(), 'Unique id of the config map. Only in the status of a node.'),
    resourceVersion: f(4, string(), 'Version of the config map that is in use. Only in the status of a node.'),
    kubeletConfigKey: f(
      5,
      string().required(),
      'Key of the config map that holds the configuration of the node agent.',
    ),
  },
  {
    description:
      'A config map that holds the configuration of a node agent. Part of a feature that is off unless it is switched on.',
  },
);
export type ConfigMapNodeConfigSource = Infer<typeof ConfigMapNodeConfigSource>;

export const NodeConfigSource = struct(
  'core.v1.NodeConfigSource',
  {
    configMap: f(2, ConfigMapNodeConfigSource.optional(), 'Config map that holds the configuration.'),
  },
  {
    description:
      'Where the configuration of a node agent comes from; one field. Part of a feature that is off unless it is switched on.',
  },
);
export type NodeConfigSource = Infer<typeof NodeConfigSource>;

export const NodeConfigStatus = struct(
  'core.v1.NodeConfigStatus',
  {
    assigned: f(1, NodeConfigSource.optional(), 'Configuration that the agent has read and will try to use.'),
    active: f(2, NodeConfigSource.optional(), 'Configuration that the agent uses now.'),
    lastKnownGood: f(
      3,
      NodeConfigSource.optional(),
      'Configuration that the agent returns to when the assigned one does not work.',
    ),
    error: f(4, string(), 'What is wrong with the assigned configuration. Empty: nothing.'),
  },
  { description: 'Which configuration a node agent uses. Part of a feature that is off unless it is switched on.' },
);
export type NodeConfigStatus = Infer<typeof NodeConfigStatus>;
