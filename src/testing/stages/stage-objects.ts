import { type AnyObject, type Client, CustomResourceDefinition, customKind, type Input } from '../../client/index.ts';
import { isRefusal } from '../../client/plane-client.ts';
import { type Stage, type StageOutcome, type StageSelector, stage } from './stage.ts';
import { STAGES_GROUP, stageDefinition } from './stage-definition.ts';
import type { StageSurroundings } from './stage-runner.ts';

/** A stage as an object of the plane. */
export interface StageObject extends AnyObject {
  readonly spec: {
    readonly resource: { readonly apiVersion: string; readonly kind: string };
    /** The smaller one comes first; 0 unless given. Those that have the same go by their names. */
    readonly order?: number;
    readonly when?: Omit<StageSelector, 'matches'>;
    readonly delay?: { readonly from: string; readonly to?: string };
    readonly next: StageOutcome;
  };
}

/** Stages that are objects; a plane serves them once it has stages. */
export const StageKind = customKind<StageObject>({
  group: STAGES_GROUP,
  version: 'v1alpha1',
  plural: 'stages',
  kind: 'Stage',
  namespaced: false,
});

/** Has the plane serve stages, and calls back with all that there are, now and whenever they change. */
export async function followStageObjects(
  { client, onError }: StageSurroundings,
  onChange: (stages: readonly Stage[]) => Promise<void>,
): Promise<{ close(): void }> {
  await serveStages(client);
  const informer = await client.of(StageKind).informer({ onError: (error) => onError('stages', error) });
  const tell = (): void => {
    const sorted = informer.store.list().sort((a, b) => (a.spec.order ?? 0) - (b.spec.order ?? 0));
    const read = sorted.flatMap((object) => readStage(object, onError));
    onChange(read).catch((error: unknown) => onError('stages', error));
  };
  await informer.listed();
  informer.handle({ added: tell, changed: tell, removed: tell });
  return informer;
}

/** One that cannot be gone through is reported, and the others work. */
function readStage({ metadata, spec }: StageObject, onError: StageSurroundings['onError']): readonly Stage[] {
  const { resource, when = {}, delay, next } = spec;
  try {
    const range = delay && { from: delay.from, to: delay.to ?? delay.from };
    return [stage({ name: metadata.name ?? '', kind: resource, when, delay: range, next })];
  } catch (error) {
    onError(`stage ${metadata.name}`, error);
    return [];
  }
}

async function serveStages(client: Client): Promise<void> {
  const definitions = client.of(CustomResourceDefinition);
  const definition = stageDefinition(client.vocabulary);
  await definitions.create(definition as Input<CustomResourceDefinition>).catch((error: unknown) => {
    if (!isRefusal(error, 'AlreadyExists')) throw error;
  });
  for await (const { type, object } of definitions.watch({
    fieldSelector: { 'metadata.name': definition.metadata.name },
  })) {
    if (type === 'BOOKMARK') continue;
    const conditions = object.status?.conditions ?? [];
    if (conditions.some((condition) => condition.type === 'Established' && condition.status === 'True')) return;
  }
}
