import { HEALTH_ENDPOINTS, type HealthCheck } from '../handlers/health.ts';
import { StartStep } from '../handlers/standard-checks.ts';
import type { Settings } from '../settings/settings.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** What a server does before it is ready. */
export type Step =
  | 'admission'
  | 'informers'
  | 'flowFollowed'
  | 'flowLimits'
  | 'publication'
  | 'policy'
  | 'priorityClasses'
  | 'flowObjects';

/** The steps of a start as health checks, under the names that tools of the field know. */
export class StartSteps {
  readonly checks: readonly HealthCheck[];
  readonly #steps: ReadonlyMap<Step, readonly StartStep[]>;

  constructor({ enablePriorityAndFairness }: Settings, { healthChecks }: Vocabulary) {
    const hook = (name: string): StartStep => new StartStep(`poststarthook/${name}`, HEALTH_ENDPOINTS);
    const fair = (name: string): StartStep[] => (enablePriorityAndFairness ? [hook(name)] : []);
    const steps: [Step, readonly StartStep[]][] = [
      ['informers', [new StartStep('informer-sync', ['readyz']), hook('generic-apiserver-start-informers')]],
      ['admission', [hook(healthChecks.admissionInitializer)]],
      ['flowFollowed', fair('priority-and-fairness-config-consumer')],
      ['flowLimits', fair('priority-and-fairness-filter')],
      ['publication', [hook('bootstrap-controller')]],
      ['policy', [hook('rbac/bootstrap-roles')]],
      ['priorityClasses', [hook('scheduling/bootstrap-system-priority-classes')]],
      ['flowObjects', fair('priority-and-fairness-config-producer')],
    ];
    this.#steps = new Map(steps);
    this.checks = steps.flatMap(([, checks]) => checks);
  }

  finished(...steps: readonly Step[]): void {
    for (const step of steps) for (const check of this.#steps.get(step) ?? []) check.finished();
  }
}
