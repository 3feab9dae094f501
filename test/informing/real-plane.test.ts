import assert from 'node:assert/strict';
import { expect, it } from 'vitest';
import { Informer } from '../../src/client/informing/informer.ts';
import { type AnyObject, PlaneClient } from '../../src/client/plane-client.ts';
import type { ServedKind } from '../../src/client/served-kind.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { SimulatedProcess, SimulatedWorld, settle } from '../histories/simulated-world.ts';
import { FaultyNetwork } from './faulty-network.ts';
import { type RealPlane, startRealPlane } from './real-plane.ts';

const SEEDS = Number(process.env.INFORMER_SERVERS ?? 1);
const HOURS = Number(process.env.INFORMER_HOURS ?? 2);
const MINUTE = 60_000;
const MAPS = '/api/v1/namespaces/default/configmaps';
const KIND: ServedKind = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  verbs: ['list', 'watch'],
};

interface Claim {
  readonly revision: string;
  readonly text: string;
}

const textOf = (objects: readonly AnyObject[]): string =>
  objects.map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).join('\n');

/** An informer of a server of ours, over a network that fails, and every state that it claimed. */
class ServerHistory {
  readonly world: SimulatedWorld;
  readonly #plane: RealPlane;
  readonly #process: SimulatedProcess;
  readonly network: FaultyNetwork;
  readonly informer: Informer;
  #claims: Claim[] = [];
  #claimed = '';
  #isWriting = true;
  checked = 0;
  /** The server had forgotten the revision by the time it was asked. */
  unchecked = 0;

  constructor(world: SimulatedWorld, plane: RealPlane) {
    this.world = world;
    this.#plane = plane;
    this.#process = new SimulatedProcess(world);
    this.network = new FaultyNetwork(world, 0.05 + 0.2 * world.random(), (...request) => plane.answer(...request));
    this.informer = new Informer(
      {
        runtime: new SimulatedProcess(world),
        client: new PlaneClient(this.network.send, vocabularies.platform.groups.meta),
        openStream: this.network.openStream,
        vocabulary: vocabularies.platform,
      },
      { kind: KIND, namespace: 'default', labelSelector: 'on=yes' },
    );
    const claim = (): void => this.#claim();
    this.informer.handle({ added: claim, changed: claim, removed: claim });
    this.#write();
    this.#disturb();
  }

  async passUntil(milliseconds: number): Promise<void> {
    while (this.world.elapsed < milliseconds) {
      this.world.pass();
      for (let turn = 0; turn < 4; turn++) await settle();
      this.#claim();
      await this.#verify();
    }
  }

  /** The network is well, and nothing is written any more. */
  async comeToRest(): Promise<void> {
    this.network.roughness = 0;
    this.#isWriting = false;
    await this.passUntil(this.world.elapsed + 10 * MINUTE);
    const { items, metadata } = await this.#list('');
    assert.equal(textOf(this.informer.store.list()), textOf(items));
    assert.equal(this.informer.revision, metadata.resourceVersion);
    this.informer.close();
  }

  #claim(): void {
    const { revision, store } = this.informer;
    if (revision === undefined || revision === this.#claimed) return;
    this.#claimed = revision;
    this.#claims.push({ revision, text: textOf(store.list()) });
  }

  async #verify(): Promise<void> {
    for (const { revision, text } of this.#claims.splice(0)) {
      const { items, code } = await this.#list(`&resourceVersion=${revision}&resourceVersionMatch=Exact`);
      if (code === 410) this.unchecked++;
      else {
        assert.equal(text, textOf(items), `the store is not what the server had at ${revision}`);
        this.checked++;
      }
    }
  }

  async #list(query: string) {
    const { body } = await this.#plane.answer('GET', `${MAPS}?labelSelector=on%3Dyes${query}`, 'application/json');
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part);
    return JSON.parse(Buffer.concat(parts).toString()) as {
      readonly items: AnyObject[];
      readonly code?: number;
      readonly metadata: { readonly resourceVersion: string };
    };
  }

  #write(): void {
    this.#process.after(this.world.below(20_000), () => {
      if (!this.#isWriting) return;
      const name = `map-${this.world.below(12)}`;
      const labels = { on: this.world.chance(0.7) ? 'yes' : 'no' };
      const data = { now: String(this.world.elapsed) };
      const roll = this.world.random();
      if (roll < 0.2) void this.#change('DELETE', `${MAPS}/${name}`);
      else if (roll < 0.5) void this.#change('POST', MAPS, { metadata: { name, labels }, data });
      else void this.#change('PUT', `${MAPS}/${name}`, { metadata: { name, labels }, data });
      this.#write();
    });
  }

  async #change(method: string, target: string, body?: object): Promise<void> {
    const answer = await this.#plane.answer(method, target, 'application/json', body);
    for await (const part of answer.body) void part;
  }

  #disturb(): void {
    this.#process.after(this.world.below(MINUTE), () => {
      this.network.disturb();
      this.#disturb();
    });
  }
}

it(`the store of an informer is what a server lists at each revision it claims, over ${SEEDS} seeds`, {
  timeout: 600_000,
}, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const world = new SimulatedWorld(seed);
    const plane = await startRealPlane(world);
    const history = new ServerHistory(world, plane);
    await history.passUntil(HOURS * 60 * MINUTE);
    await history.comeToRest();
    await plane.close();
    const { checked, unchecked, network } = history;
    expect(checked).toBeGreaterThan(HOURS * 100);
    expect(unchecked).toBeLessThan(checked / 5);
    expect(network.tally.cuts + network.tally.silences).toBeGreaterThan(0);
    if (process.env.INFORMER_SERVERS) console.log(seed, { checked, unchecked, ...network.tally });
  }
});
