import type { VirtualResource } from '../../handlers/actions/virtual-resource.ts';
import { Denial } from '../../kinds/explain/denial.ts';
import { restEveryTurn } from '../../runtime/pacing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { type AccessSources, accessStory } from './access-story.ts';
import type { DenialLog } from './denial-log.ts';
import type { KeptDenial } from './kept-denial.ts';
import { modeAnswers } from './mode-answers.ts';
import { specOf } from './question.ts';

/** The denials that are remembered. Why it was one is worked out for whoever looks one up, and not for lists. */
export const denialResource = (denials: DenialLog, sources: AccessSources, group: string): VirtualResource<Denial> => ({
  group,
  plural: 'denials',
  async objects() {
    const { runtime } = sources;
    const rest = restEveryTurn(runtime);
    const objects: Denial[] = [];
    for (const denial of denials.all()) {
      objects.push(canonicalise(Denial, shown(denial, group, runtime)).value);
      const pause = rest();
      if (pause) await pause;
    }
    return objects.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  },
  async find(name) {
    const denial = denials.find(name);
    if (!denial) return undefined;
    const status = await accessStory(sources, denial.refusal.attributes);
    return canonicalise(Denial, { ...shown(denial, group, sources.runtime), status }).value;
  },
});

function shown({ id, refusal, count, firstMs, lastMs }: KeptDenial, group: string, runtime: Runtime) {
  const { attributes, decision, message, modes, impersonator, auditId } = refusal;
  const momentOf = (monotonic: number): string =>
    new Date(runtime.now() - (runtime.monotonic() - monotonic)).toISOString();
  return {
    kind: 'Denial',
    apiVersion: `${group}/v1alpha1`,
    metadata: { name: id, creationTimestamp: momentOf(firstMs) },
    spec: specOf(attributes.user, attributes),
    request: {
      message,
      modes: modeAnswers(modes, decision),
      impersonator,
      auditID: auditId,
      count,
      firstTime: momentOf(firstMs),
      lastTime: momentOf(lastMs),
    },
  };
}
