import type { Features } from '../../features/features.ts';
import type { Recorder } from './recorder.ts';

/** Stages as those who watch this metric know them; what is always on has none. */
const SHOWN_STAGES = { alpha: 'ALPHA', beta: 'BETA', ga: '', deprecated: 'DEPRECATED' } as const;

export function collectFeatures(recorder: Recorder, features: Features): void {
  const readings = [...features.all()].map(({ name, stage, isOn }) => ({
    labels: [name, SHOWN_STAGES[stage]],
    value: isOn ? 1 : 0,
  }));
  recorder.collect('feature_enabled', () => readings);
}
