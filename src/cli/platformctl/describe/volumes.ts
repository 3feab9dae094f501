import type { Volume } from '../../../kinds/core/volume/volume.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { writeClaim } from './claim.ts';
import type { Sheet } from './sheet.ts';
import { type Source, writePodSource } from './volume-sources.ts';

const LEVEL = 2;

/** The volumes of a pod, or of a template (`indented`). */
export function writeVolumes(
  sheet: Sheet,
  volumes: readonly Volume[] | null | undefined,
  vocabulary: Vocabulary,
  indented = false,
): void {
  const level = indented ? 1 : 0;
  if (!volumes || volumes.length === 0) {
    sheet.field('Volumes', '<none>', level);
    return;
  }
  sheet.line(level, 'Volumes:');
  for (const volume of volumes) {
    sheet.line(1, `${indented ? ' ' : ''}${volume.name}:`);
    writeVolume(sheet, volume, vocabulary);
  }
}

function writeVolume(sheet: Sheet, volume: Volume, vocabulary: Vocabulary): void {
  if (volume.projected) writeProjected(sheet, volume.projected.sources ?? []);
  else if (volume.downwardAPI) writeDownward(sheet, volume.downwardAPI.items ?? []);
  else if (volume.ephemeral) {
    const title = 'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)';
    sheet.field('Type', title, LEVEL);
    const template = volume.ephemeral.volumeClaimTemplate;
    if (template) writeClaim(sheet, { metadata: template.metadata ?? {}, spec: template.spec }, vocabulary, LEVEL);
  } else if (!writePodSource(sheet, volume as unknown as Source)) sheet.line(1, '<unknown>');
}

type ProjectedSources = NonNullable<NonNullable<Volume['projected']>['sources']>;

function writeProjected(sheet: Sheet, sources: ProjectedSources): void {
  sheet.field('Type', 'Projected (a volume that contains injected data from multiple sources)', LEVEL);
  for (const { secret, configMap, downwardAPI, serviceAccountToken } of sources) {
    if (secret) {
      sheet.field('SecretName', secret.name ?? '', LEVEL);
      sheet.field('Optional', secret.optional ?? false, LEVEL);
    } else if (downwardAPI) sheet.field('DownwardAPI', 'true', LEVEL);
    else if (configMap) {
      sheet.field('ConfigMapName', configMap.name ?? '', LEVEL);
      sheet.field('Optional', configMap.optional ?? false, LEVEL);
    } else if (serviceAccountToken) {
      sheet.field('TokenExpirationSeconds', serviceAccountToken.expirationSeconds ?? 0, LEVEL);
    }
  }
}

type DownwardItems = NonNullable<NonNullable<Volume['downwardAPI']>['items']>;

function writeDownward(sheet: Sheet, items: DownwardItems): void {
  sheet.field('Type', 'DownwardAPI (a volume populated by information about the pod)', LEVEL);
  sheet.line(LEVEL, 'Items:');
  for (const { path, fieldRef, resourceFieldRef } of items) {
    if (fieldRef) sheet.line(LEVEL + 1, `${fieldRef.fieldPath} -> ${path}`);
    if (resourceFieldRef) sheet.line(LEVEL + 1, `${resourceFieldRef.resource} -> ${path}`);
  }
}
