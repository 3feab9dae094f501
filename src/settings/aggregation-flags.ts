import { boolean, list, optionalText } from './flag.ts';

/** How requests are passed on to other servers, and how a server behind another one finds out who asks. */
export const AGGREGATION_FLAGS = {
  proxyClientCertFile: optionalText(
    'proxy-client-cert-file',
    'FILE',
    'PEM certificate to show to servers that answer for an APIService; they believe who asks because of it',
  ),
  proxyClientKeyFile: optionalText('proxy-client-key-file', 'FILE', 'PEM key of that certificate'),
  aggregatorRejectForwardingRedirect: boolean(
    'aggregator-reject-forwarding-redirect',
    true,
    'refuse answers of such servers that redirect the client elsewhere',
  ),
  requestheaderUidHeaders: list(
    'requestheader-uid-headers',
    'HEADERS',
    [],
    'where authenticating proxies tell apart users of the same name; the first that is there counts',
  ),
  authenticationKubeconfig: optionalText(
    'authentication-kubeconfig',
    'FILE',
    'client configuration of the server in front of this one, which is asked who sent a token',
  ),
  authenticationSkipLookup: boolean(
    'authentication-skip-lookup',
    false,
    'do not ask the server in front how it tells who asks; --requestheader-* and --client-ca-file say so',
  ),
  authorizationKubeconfig: optionalText(
    'authorization-kubeconfig',
    'FILE',
    'client configuration of the server in front of this one, which is asked what users may do',
  ),
  servedGroups: list(
    'served-groups',
    'GROUPS',
    [],
    'the API groups that clients can ask for, with their discovery and schemas; all when empty',
  ),
} as const;
