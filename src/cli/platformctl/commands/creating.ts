import type { CommandTable } from '../frame/command.ts';

/** Commands that make objects out of what a line says. */
export const CREATING: CommandTable = {
  create: {
    summary: 'Create objects from files or standard input',
    load: async () => (await import('./create/create.ts')).create,
  },
  'create namespace': {
    summary: 'Create a namespace',
    load: async () => (await import('./create/namespace.ts')).createNamespace,
  },
  'create ns': {
    summary: 'Create a namespace',
    load: async () => (await import('./create/namespace.ts')).createNamespace,
  },
  'create configmap': {
    summary: 'Create a config map from values or files',
    load: async () => (await import('./create/config-map.ts')).createConfigMap,
  },
  'create cm': {
    summary: 'Create a config map from values or files',
    load: async () => (await import('./create/config-map.ts')).createConfigMap,
  },
  'create secret generic': {
    summary: 'Create a secret from values or files',
    load: async () => (await import('./create/secret.ts')).createGenericSecret,
  },
  'create secret docker-registry': {
    summary: 'Create a secret for a registry of images',
    load: async () => (await import('./create/secret.ts')).createRegistrySecret,
  },
  'create secret tls': {
    summary: 'Create a secret from a certificate and its key',
    load: async () => (await import('./create/secret.ts')).createTlsSecret,
  },
  'create deployment': {
    summary: 'Create a deployment',
    load: async () => (await import('./create/deployment.ts')).createDeployment,
  },
  'create deploy': {
    summary: 'Create a deployment',
    load: async () => (await import('./create/deployment.ts')).createDeployment,
  },
  'create service clusterip': {
    summary: 'Create a service with an address in the cluster',
    load: async () => (await import('./create/service.ts')).createClusterIpService,
  },
  'create service nodeport': {
    summary: 'Create a service with a port on every node',
    load: async () => (await import('./create/service.ts')).createNodePortService,
  },
  'create service loadbalancer': {
    summary: 'Create a service behind a load balancer',
    load: async () => (await import('./create/service.ts')).createLoadBalancerService,
  },
  'create service externalname': {
    summary: 'Create a service for a name outside',
    load: async () => (await import('./create/service.ts')).createExternalNameService,
  },
  'create svc clusterip': {
    summary: 'Create a service with an address in the cluster',
    load: async () => (await import('./create/service.ts')).createClusterIpService,
  },
  'create svc nodeport': {
    summary: 'Create a service with a port on every node',
    load: async () => (await import('./create/service.ts')).createNodePortService,
  },
  'create svc loadbalancer': {
    summary: 'Create a service behind a load balancer',
    load: async () => (await import('./create/service.ts')).createLoadBalancerService,
  },
  'create svc externalname': {
    summary: 'Create a service for a name outside',
    load: async () => (await import('./create/service.ts')).createExternalNameService,
  },
  'create role': {
    summary: 'Create a role of a namespace',
    load: async () => (await import('./create/role.ts')).createRole,
  },
  'create clusterrole': {
    summary: 'Create a role of the whole plane',
    load: async () => (await import('./create/role.ts')).createClusterRole,
  },
  'create rolebinding': {
    summary: 'Give a role to somebody in a namespace',
    load: async () => (await import('./create/role-binding.ts')).createRoleBinding,
  },
  'create clusterrolebinding': {
    summary: 'Give a role to somebody everywhere',
    load: async () => (await import('./create/role-binding.ts')).createClusterRoleBinding,
  },
  'create serviceaccount': {
    summary: 'Create a service account',
    load: async () => (await import('./create/service-account.ts')).createServiceAccount,
  },
  'create sa': {
    summary: 'Create a service account',
    load: async () => (await import('./create/service-account.ts')).createServiceAccount,
  },
  'create token': {
    summary: 'Ask for a token of a service account',
    load: async () => (await import('./create/token.ts')).createToken,
  },
  'create quota': {
    summary: 'Create a quota of a namespace',
    load: async () => (await import('./create/quota.ts')).createQuota,
  },
  'create resourcequota': {
    summary: 'Create a quota of a namespace',
    load: async () => (await import('./create/quota.ts')).createQuota,
  },
  'create job': {
    summary: 'Create a job, also from a cron job',
    load: async () => (await import('./create/job.ts')).createJob,
  },
  'create cronjob': {
    summary: 'Create a cron job',
    load: async () => (await import('./create/job.ts')).createCronJob,
  },
  'create cj': {
    summary: 'Create a cron job',
    load: async () => (await import('./create/job.ts')).createCronJob,
  },
  'create ingress': {
    summary: 'Create an ingress',
    load: async () => (await import('./create/ingress.ts')).createIngress,
  },
  'create ing': {
    summary: 'Create an ingress',
    load: async () => (await import('./create/ingress.ts')).createIngress,
  },
  'create priorityclass': {
    summary: 'Create a class of priority',
    load: async () => (await import('./create/priority-class.ts')).createPriorityClass,
  },
  'create pc': {
    summary: 'Create a class of priority',
    load: async () => (await import('./create/priority-class.ts')).createPriorityClass,
  },
  'create poddisruptionbudget': {
    summary: 'Create a budget of disruptions',
    load: async () => (await import('./create/disruption-budget.ts')).createDisruptionBudget,
  },
  'create pdb': {
    summary: 'Create a budget of disruptions',
    load: async () => (await import('./create/disruption-budget.ts')).createDisruptionBudget,
  },
};
