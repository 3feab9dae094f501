import { NODES_GROUP, nodeNameOf, nodeUser, type UserInfo } from '../../api/user.ts';
import type { PodReference } from '../../kinds/core/pod/pod-references.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { ABSTAIN, ALLOW, NO_RULES } from '../always.ts';
import {
  type Attributes,
  type Authorizer,
  combinedResource,
  type Decision,
  type RuleSummary,
  type Wanted,
} from '../attributes.ts';
import { nodeRules } from '../bootstrap/component-roles.ts';
import { type GrantSteps, groupHolder, userHolder } from '../grants.ts';
import { CompiledRole } from '../rbac/compiled-role.ts';
import type { NodeRelations } from './node-relations.ts';

type Check = (node: string, wanted: Attributes) => Decision;

const UNKNOWN_RULES: RuleSummary = Object.freeze({
  ...NO_RULES,
  incomplete: true,
  problem: 'node authorizer does not support user rule resolution',
});

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const WRITES_ITS_OWN: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete']);

const IN_NODES_GROUP = `the user is in the group "${NODES_GROUP}"`;

const abstain = (reason: string): Decision => ({ decision: 'abstain', reason });

/**
 * What nodes may do: of some kinds, only with objects that belong to them by their pods or by their name; of others, what
 * the rules for nodes say. Has nothing to say about anyone else, and forbids nothing: another mode may allow more.
 */
export class NodeAuthorizer implements Authorizer {
  readonly mode = 'Node';
  readonly #relations: NodeRelations;
  readonly #leaseNamespace: string;
  readonly #rules: CompiledRole;
  /** By `<plural>.<group>`. */
  readonly #checks: ReadonlyMap<string, Check>;

  constructor(relations: NodeRelations, vocabulary: Vocabulary) {
    const { storage, coordination } = vocabulary.groups;
    this.#relations = relations;
    this.#leaseNamespace = vocabulary.namespaces.nodeLease;
    this.#rules = new CompiledRole(nodeRules(vocabulary));
    this.#checks = new Map<string, Check>([
      ['secrets.', (node, wanted) => this.#mayRead(node, 'secrets', wanted)],
      ['configmaps.', (node, wanted) => this.#mayRead(node, 'configmaps', wanted)],
      ['persistentvolumeclaims.', (node, wanted) => this.#mayUseClaim(node, wanted)],
      ['persistentvolumes.', (node, wanted) => this.#mayGetVolume(node, wanted)],
      [`volumeattachments.${storage}`, (node, wanted) => this.#mayGetAttachment(node, wanted)],
      ['serviceaccounts.', (node, wanted) => this.#mayMakeToken(node, wanted)],
      [`leases.${coordination}`, (node, wanted) => this.#mayUseLease(node, wanted)],
      [`csinodes.${storage}`, mayUseDriverList],
    ]);
  }

  authorize(wanted: Attributes): Decision {
    const node = nodeNameOf(wanted.user);
    if (node === undefined) return ABSTAIN;
    if (node === '') return abstain(`unknown node for user ${JSON.stringify(wanted.user.name)}`);
    const check = wanted.resourceRequest && this.#checks.get(`${wanted.resource}.${wanted.group}`);
    if (check) return check(node, wanted);
    return this.#rules.allows(wanted, combinedResource(wanted)) ? ALLOW : ABSTAIN;
  }

  *grants(wanted: Wanted, user?: UserInfo): GrantSteps {
    const isAllowed = (one: UserInfo): boolean => this.authorize({ ...wanted, user: one }).decision === 'allow';
    if (user) {
      yield isAllowed(user) ? { holder: userHolder(user.name), rules: [], condition: IN_NODES_GROUP } : undefined;
      return;
    }
    // What a node may that nothing belongs to and nothing is named after, every node may.
    if (isAllowed(nodeUser(`${wanted.name}*`))) {
      yield { holder: groupHolder(NODES_GROUP), rules: [], condition: 'the user is named system:node:<name>' };
      return;
    }
    for (const node of new Set([wanted.name, ...this.#relations.nodes()])) {
      const one = nodeUser(node);
      yield isAllowed(one) ? { holder: userHolder(one.name), rules: [], condition: IN_NODES_GROUP } : undefined;
    }
  }

  rulesFor(user: UserInfo): RuleSummary {
    return nodeNameOf(user) === undefined ? NO_RULES : UNKNOWN_RULES;
  }

  #mayRead(node: string, plural: PodReference['plural'], wanted: Attributes): Decision {
    if (!READS.has(wanted.verb)) return abstain('can only read resources of this type');
    if (wanted.subresource !== '') return abstain('cannot read subresource');
    if (wanted.namespace === '') return abstain('can only read namespaced object of this type');
    return this.#mayReach(node, plural, wanted);
  }

  #mayUseClaim(node: string, wanted: Attributes): Decision {
    if (wanted.subresource !== 'status') {
      return refusedGet(wanted) ?? this.#mayReach(node, 'persistentvolumeclaims', wanted);
    }
    if (wanted.verb !== 'update' && wanted.verb !== 'patch') return abstain('can only get/update/patch this type');
    return this.#mayReach(node, 'persistentvolumeclaims', wanted);
  }

  #mayGetVolume(node: string, wanted: Attributes): Decision {
    return refusedGet(wanted) ?? related(node, wanted, this.#relations.reachesVolume(node, wanted.name));
  }

  #mayGetAttachment(node: string, wanted: Attributes): Decision {
    return refusedGet(wanted) ?? related(node, wanted, this.#relations.hasAttachment(node, wanted.name));
  }

  #mayMakeToken(node: string, wanted: Attributes): Decision {
    if (wanted.verb !== 'create' || wanted.name === '') {
      return abstain('can only create tokens for individual service accounts');
    }
    if (wanted.subresource !== 'token') return abstain('can only create token subresource of service account');
    return this.#mayReach(node, 'serviceaccounts', wanted);
  }

  /** The name of a lease that is made is not known here: admission sees to it that it is the node's. */
  #mayUseLease(node: string, { verb, namespace, name }: Attributes): Decision {
    if (!WRITES_ITS_OWN.has(verb)) return abstain('can only get, create, update, patch, or delete a node lease');
    if (namespace !== this.#leaseNamespace) {
      return abstain(`can only access leases in the ${JSON.stringify(this.#leaseNamespace)} system namespace`);
    }
    if (verb === 'create' || name === node) return ALLOW;
    return abstain('can only access node lease with the same name as the requesting node');
  }

  #mayReach(node: string, plural: PodReference['plural'], wanted: Attributes): Decision {
    return related(node, wanted, this.#relations.reaches(node, plural, wanted.namespace, wanted.name));
  }
}

function refusedGet({ verb, subresource }: Attributes): Decision | undefined {
  if (verb !== 'get') return abstain('can only get individual resources of this type');
  return subresource === '' ? undefined : abstain('cannot get subresource');
}

function related(node: string, { name }: Attributes, isRelated: boolean): Decision {
  if (name === '') return abstain('No Object name found');
  return isRelated ? ALLOW : abstain(`no relationship found between node '${node}' and this object`);
}

/** As with leases, the name of what is made is looked at by admission. */
function mayUseDriverList(node: string, { verb, subresource, name }: Attributes): Decision {
  if (!WRITES_ITS_OWN.has(verb)) return abstain('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return abstain('cannot authorize CSINode subresources');
  if (verb === 'create' || name === node) return ALLOW;
  return abstain('can only access CSINode with the same name as the requesting node');
}
