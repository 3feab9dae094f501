import { type Client, Node, Pod } from '../../client/index.ts';
import { Closing } from '../../runtime/closing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { EmbeddedPlane } from '../../server/server.ts';
import { type FakeNodeOptions, FakeNodes } from './fake-nodes.ts';
import { innerClient } from './inner-client.ts';
import { NodeAgent } from './node-agent.ts';
import { objectsIn } from './outcome.ts';
import { PodScheduler } from './pod-scheduler.ts';
import { podStages } from './pod-stages.ts';
import { type ExecScript, type LogText, type PodName, Scripts } from './scripts.ts';
import type { Delay, Stage } from './stage.ts';
import { followStageObjects } from './stage-objects.ts';
import { StageRunner, type StageSurroundings } from './stage-runner.ts';
import { volumeStages } from './volume-stages.ts';

/** Fake nodes, what lives on them, and how quickly. */
export interface StagesOptions {
  /** How many fake nodes there are; none unless given. With some, pods are scheduled to them and live there. */
  readonly nodes?: number | undefined;
  /** What the nodes are like. */
  readonly node?: FakeNodeOptions | undefined;
  /** Stages of one's own. They come before those that are built in. */
  readonly stages?: readonly Stage[] | undefined;
  /** How long a pod takes to start on its node; no time unless given. */
  readonly startDelay?: Delay | undefined;
  /** What random delays are drawn from; always the same unless given. */
  readonly seed?: string | number | undefined;
  /** What went wrong is tried again. A warning of the process unless given. */
  readonly onError?: ((what: string, error: unknown) => void) | undefined;
}

/** The plane that stages are played on. */
export interface StagedPlane {
  readonly server: EmbeddedPlane;
  readonly runtime: Runtime;
  readonly client: Pick<Client, 'vocabulary'>;
  atStop(end: () => Promise<void> | void): void;
}

/** Objects of a plane that live without anybody behind them. */
export class Stages {
  readonly #surroundings: StageSurroundings;
  readonly #closing = new Closing();
  readonly #scripts = new Scripts();
  readonly #runners = new Map<string, Promise<StageRunner>>();
  #nodes: FakeNodes | undefined;
  #addresses = 0;
  #builtIn: readonly Stage[] = [];
  #own: readonly Stage[] = [];
  #declared: readonly Stage[] = [];

  private constructor(surroundings: StageSurroundings) {
    this.#surroundings = surroundings;
  }

  static async start(plane: StagedPlane, options: StagesOptions = {}): Promise<Stages> {
    const { server, runtime } = plane;
    const client = innerClient(server, runtime, plane.client.vocabulary);
    const { seed = 1, onError = warn } = options;
    const stages = new Stages({ client, runtime, seed: String(seed), onError });
    plane.atStop(() => stages.#closing.run());
    await stages.#begin(options);
    return stages;
  }

  /** The names of the fake nodes. */
  get nodes(): readonly string[] {
    return this.#nodes?.names ?? [];
  }

  /** More stages, before those that there are. */
  async add(...stages: readonly Stage[]): Promise<void> {
    this.#own = [...stages, ...this.#own];
    await this.#distribute();
  }

  /** What a pod has written. */
  logs(pod: PodName, log: LogText): void {
    this.#scripts.setLog(pod, log);
  }

  /** What commands do that are run in a pod. */
  onExec(pod: PodName, script: ExecScript): void {
    this.#scripts.setExec(pod, script);
  }

  /** A node does not report any more, as if its machine had lost power. Its pods stay as they are. */
  silence(node: string): void {
    this.#nodes?.silence(node);
  }

  /** Nothing more becomes of objects. */
  stop(): Promise<void> {
    return this.#closing.run();
  }

  async #begin(options: StagesOptions): Promise<void> {
    const { client } = this.#surroundings;
    this.#own = options.stages ?? [];
    this.#builtIn = volumeStages(client);
    if (options.nodes) await this.#beginNodes(options.nodes, options);
    const declared = await followStageObjects(this.#surroundings, (stages) => {
      this.#declared = stages;
      return this.#distribute();
    });
    this.#closing.add(() => declared.close());
    await this.#distribute();
  }

  async #beginNodes(count: number, { node, startDelay = 0 }: StagesOptions): Promise<void> {
    const { client, runtime } = this.#surroundings;
    const agent = await NodeAgent.start(this.#scripts);
    this.#closing.add(() => agent.close());
    const nodes = new FakeNodes(this.#surroundings, agent.place);
    this.#nodes = nodes;
    this.#closing.add(() => nodes.close());
    await nodes.add(count, node);
    const known = await client.of(Node).informer();
    this.#closing.add(() => known.close());
    const pods = await client.of(Pod).informer();
    this.#closing.add(() => pods.close());
    const scheduler = new PodScheduler(this.#surroundings, pods, known);
    this.#closing.add(() => scheduler.close());
    this.#keepRunner(runnerKey(Pod), new StageRunner(this.#surroundings, pods));
    this.#keepRunner(runnerKey(Node), new StageRunner(this.#surroundings, known));
    const life = podStages({
      startDelay,
      hasNode: (name) => nodes.has(name),
      hostIP: agent.place.address,
      newAddress: () => addressNumber(this.#addresses++),
      now: () => runtime.now(),
    });
    this.#builtIn = [...life, ...this.#builtIn];
  }

  /** Gives each kind its stages: those of programs, then those of objects, then those that are built in. */
  async #distribute(): Promise<void> {
    const all = [...this.#own, ...this.#declared, ...this.#builtIn];
    const byKind = new Map<string, Stage[]>();
    for (const one of all) byKind.set(runnerKey(one.kind), [...(byKind.get(runnerKey(one.kind)) ?? []), one]);
    for (const [key, stages] of byKind) {
      const [first] = stages;
      if (first) (await this.#runnerOf(key, first)).replace(stages);
    }
    for (const [key, runner] of this.#runners) if (!byKind.has(key)) (await runner).replace([]);
  }

  #runnerOf(key: string, { kind }: Stage): Promise<StageRunner> {
    const known = this.#runners.get(key);
    if (known) return known;
    const made = objectsIn(this.#surroundings.client, kind, '')
      .informer()
      .then((informer) => {
        const runner = new StageRunner(this.#surroundings, informer);
        this.#closing.add(() => runner.close());
        return runner;
      });
    this.#runners.set(key, made);
    made.catch(() => this.#runners.delete(key));
    return made;
  }

  #keepRunner(key: string, runner: StageRunner): void {
    this.#runners.set(key, Promise.resolve(runner));
    this.#closing.add(() => runner.close());
  }
}

/** Kinds in code and in objects are the same by their group and name. */
function runnerKey(kind: Stage['kind']): string {
  if ('plural' in kind) return `${kind.group}/${kind.kind}`;
  const slash = kind.apiVersion.indexOf('/');
  return `${kind.apiVersion.slice(0, Math.max(0, slash))}/${kind.kind}`;
}

/** Four million addresses of 10.64.0.0/10, then the first again. */
function addressNumber(number: number): string {
  const host = (number + 1) % 2 ** 22;
  return `10.${64 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
}

function warn(what: string, error: unknown): void {
  process.emitWarning(`stages: ${what}: ${error instanceof Error ? error.message : String(error)}`);
}
