import { isRefusal } from '../../../client/plane-client.ts';
import type { LimitRange } from '../../../kinds/core/namespace/limit-range.ts';
import type { Namespace } from '../../../kinds/core/namespace/namespace.ts';
import type { ResourceQuota } from '../../../kinds/core/namespace/resource-quota.ts';
import { formatQuantity, parseQuantity } from '../../../schema/quantity.ts';
import { writeClusterIdentity } from './metadata.ts';
import { rulesOf, type Sheet } from './sheet.ts';
import { describer } from './subject.ts';
import { byText, momentText } from './texts.ts';

const SCOPES: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

export const resourceQuota = describer<ResourceQuota>((sheet, { object }) => {
  sheet.field('Name', object.metadata.name ?? '');
  sheet.field('Namespace', object.metadata.namespace ?? '');
  writeScopes(sheet, object, 0, ' * ');
  sheet.table(0, ['Resource', 'Used', 'Hard'], usage(object, true));
}, false);

function writeScopes(sheet: Sheet, { spec }: ResourceQuota, level: number, bullet: string): void {
  const scopes = [...(spec.scopes ?? [])].sort();
  if (scopes.length === 0) return;
  sheet.field('Scopes', scopes.join(', '), level);
  for (const text of scopes.flatMap((scope) => SCOPES[scope] ?? [])) sheet.line(level, `${bullet}${text}`);
}

/** Rows of what is used of what there is, `alike` in units of the same family. */
function usage({ status }: ResourceQuota, alike: boolean): string[][] {
  const { hard = {}, used = {} } = status;
  return Object.keys(hard)
    .sort()
    .map((name) => {
      const most = hard[name] ?? '0';
      const now = used[name] ?? '0';
      return [name, alike ? inUnitsOf(most, now) : now, most];
    });
}

function inUnitsOf(pattern: string, amount: string): string {
  const [wanted, given] = [parseQuantity(pattern), parseQuantity(amount)];
  if (!wanted || !given || wanted.family === given.family) return amount;
  const whole = (given.nanos + 999_999_999n) / 1_000_000_000n;
  return formatQuantity({ nanos: whole * 1_000_000_000n, family: wanted.family });
}

const LIMIT_HEADER = ['Type', 'Resource', 'Min', 'Max', 'Default Request', 'Default Limit', 'Max Limit/Request Ratio'];

export const limitRange = describer<LimitRange>((sheet, { object }) => {
  sheet.field('Name', object.metadata.name ?? '');
  sheet.field('Namespace', object.metadata.namespace ?? '');
  sheet.table(0, LIMIT_HEADER, limitRows(object));
}, false);

function limitRows({ spec }: LimitRange): string[][] {
  return (spec.limits ?? []).flatMap((limit) => {
    const kinds = [limit.min, limit.max, limit.defaultRequest, limit.default, limit.maxLimitRequestRatio];
    const names = [...new Set(kinds.flatMap((amounts) => Object.keys(amounts ?? {})))].sort();
    return names.map((name) => [limit.type, name, ...kinds.map((amounts) => amounts?.[name] ?? '-')]);
  });
}

export const namespace = describer<Namespace>(async (sheet, { object, plane, vocabulary }) => {
  const { metadata, status } = object;
  const { name = '' } = metadata;
  writeClusterIdentity(sheet, metadata, vocabulary);
  sheet.field('Status', status.phase ?? '');
  const conditions = status.conditions ?? [];
  if (conditions.length > 0) {
    sheet.line(0, 'Conditions:');
    const rows = conditions.map((one) => [
      one.type,
      one.status,
      momentText(one.lastTransitionTime),
      one.reason ?? '',
      one.message ?? '',
    ]);
    sheet.table(1, ['Type', 'Status', 'LastTransitionTime', 'Reason', 'Message'], rows);
  }
  const quotas = await plane.list<ResourceQuota>('', 'resourcequotas', name).catch(notServed);
  if (quotas) writeQuotas(sheet, quotas);
  const limits = await plane.list<LimitRange>('', 'limitranges', name).catch(notServed);
  if (limits) writeLimits(sheet, limits);
}, false);

const notServed = (error: unknown): undefined => {
  if (!isRefusal(error, 'NotFound')) throw error;
};

function writeQuotas(sheet: Sheet, quotas: readonly ResourceQuota[]): void {
  sheet.line(0, '');
  if (quotas.length === 0) {
    sheet.line(0, 'No resource quota.');
    return;
  }
  sheet.line(0, 'Resource Quotas');
  for (const quota of [...quotas].sort((a, b) => byText(a.metadata.name ?? '', b.metadata.name ?? ''))) {
    sheet.field('Name', quota.metadata.name ?? '', 1);
    writeScopes(sheet, quota, 1, '* ');
    sheet.table(1, ['Resource', 'Used', 'Hard'], usage(quota, false), ['--------', '---', '---']);
  }
}

function writeLimits(sheet: Sheet, ranges: readonly LimitRange[]): void {
  sheet.line(0, '');
  if (ranges.length === 0) {
    sheet.line(0, 'No LimitRange resource.');
    return;
  }
  sheet.line(0, 'Resource Limits');
  const rows = [LIMIT_HEADER, rulesOf(LIMIT_HEADER), ...ranges.flatMap(limitRows)];
  for (const [first = '', ...others] of rows) sheet.line(0, ` ${first}`, ...others);
}
