import { badRequest, invalid } from '../../api/errors.ts';
import type { Propagation } from '../../meta/dependents.ts';
import { DeleteOptions as DeleteOptionsKind } from '../../meta/options.ts';
import type { DeleteOptions, WriteOptions } from '../../registry/write.ts';
import { isTrue, type Query } from '../../request/request-info.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { TypeMismatch } from '../../schema/derive/reading.ts';
import { Problems } from '../../schema/problems.ts';
import type { Infer } from '../../schema/schema.ts';
import type { ResourceContext, Service } from '../service.ts';
import { readDocument } from './read-document.ts';
import { readDryRun } from './write-options.ts';

type Document = Infer<typeof DeleteOptionsKind>;

const EXPECTED = { group: '', version: 'v1', kind: 'DeleteOptions', schema: DeleteOptionsKind };

const POLICIES: readonly Propagation[] = ['Background', 'Foreground', 'Orphan'];
const isPolicy = (text: string): text is Propagation => (POLICIES as readonly string[]).includes(text);

/** Options of a delete, from the body if there is one, else from the query. */
export async function readDeleteOptions(service: Service, { context, user }: ResourceContext): Promise<DeleteOptions> {
  const body = await readDocument(service, context, () => EXPECTED);
  const document = body === undefined ? fromQuery(context.info.query) : fromBody(body);
  const dryRun = [...(document.dryRun ?? []), ...context.info.query.getAll('dryRun')];
  const options: WriteOptions = {
    user,
    auditId: context.auditId,
    verb: context.info.verb,
    deadline: context.deadline,
    background: context.request.background ?? false,
    warn: (text) => context.warn(text),
    annotate: (key, value, level) => context.annotate(key, value, level),
    waited: (milliseconds) => context.waited(milliseconds),
    called: (call) => context.called(call),
    steps: context.steps,
  };
  return deleteOptionsOf({ ...document, dryRun }, options, service.vocabulary.groups.meta);
}

/** What a DeleteOptions document asks for, on top of what is known of the request. */
export function deleteOptionsOf(document: Document, options: WriteOptions, metaGroup: string): DeleteOptions {
  const problems = new Problems();
  const dryRun = readDryRun(document.dryRun ?? [], problems) || (options.dryRun ?? false);
  const propagationPolicy = readPolicy(document, problems);
  if (problems.found.length > 0) throw invalid(metaGroup, 'DeleteOptions', '', problems.found);
  const { gracePeriodSeconds, preconditions } = document;
  return {
    ...options,
    dryRun,
    ...(gracePeriodSeconds === undefined
      ? {}
      : { gracePeriodSeconds: gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
  };
}

function fromBody(body: unknown): Document {
  try {
    const { value } = canonicalise(DeleteOptionsKind, body);
    if (value.kind && value.kind !== 'DeleteOptions') throw badRequest(`expected DeleteOptions, got ${value.kind}`);
    return value;
  } catch (error) {
    if (error instanceof TypeMismatch) throw badRequest(`the body is no DeleteOptions: ${error.message}`);
    throw error;
  }
}

function fromQuery(query: Query): Document {
  const grace = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  const policy = query.get('propagationPolicy');
  if (grace !== null && !/^-?\d{1,15}$/.test(grace)) throw badRequest(`gracePeriodSeconds: "${grace}" is not a number`);
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(orphan === null ? {} : { orphanDependents: isTrue(orphan) }),
    ...(policy === null || policy === '' ? {} : { propagationPolicy: policy }),
  };
}

function readPolicy({ propagationPolicy, orphanDependents }: Document, problems: Problems): Propagation | undefined {
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    problems.invalid(
      'propagationPolicy',
      propagationPolicy,
      'orphanDependents and deletionPropagation cannot be both set',
    );
    return undefined;
  }
  if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';
  if (propagationPolicy === undefined) return undefined;
  if (isPolicy(propagationPolicy)) return propagationPolicy;
  problems.notSupported('propagationPolicy', propagationPolicy, POLICIES);
  return undefined;
}
