import type { ClusterRole } from '../../kinds/rbac/cluster-role.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { clusterRole, rule } from './declare.ts';

/** Who may ask for which certificates to be approved at once, and who may approve for which signer. */
export function certificateRoles(v: Vocabulary): ClusterRole[] {
  const names = v.clusterRoleNames;
  const requester = (name: string, subresource: string): ClusterRole =>
    clusterRole(v, name, [rule('create', v.groups.certificates, `certificatesigningrequests/${subresource}`)]);
  const approver = (name: string, signer: string): ClusterRole =>
    clusterRole(v, name, [rule('approve', v.groups.certificates, 'signers', [signer])]);
  return [
    requester(names.nodeClient, 'nodeclient'),
    requester(names.selfNodeClient, 'selfnodeclient'),
    approver(names.apiserverClientApprover, v.signers.apiserverClient),
    approver(names.apiserverClientNodeApprover, v.signers.apiserverClientNode),
    approver(names.nodeServingApprover, v.signers.nodeServing),
    approver(names.legacyUnknownApprover, v.signers.legacyUnknown),
  ];
}
