import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { chosenPlugins, planPlugins } from './plugin-choice.ts';
import { PLUGINS } from './plugins.ts';

const names = (enabled: string[], disabled: string[]): string[] =>
  chosenPlugins({ enabled, disabled }).map(({ name }) => name);

it('plugins that are on by default are on, in the order in which they act', () => {
  expect(names([], [])).toEqual(PLUGINS.filter(({ byDefault }) => byDefault).map(({ name }) => name));
});

it('a plugin can be turned off, and turned on again only by name', () => {
  expect(names([], ['NamespaceLifecycle'])).not.toContain('NamespaceLifecycle');
  expect(names(['NamespaceLifecycle'], [])).toEqual(names([], []));
});

it('a plugin that has nothing to do here is known by its name', () => {
  expect(names(['PersistentVolumeLabel'], [])).toContain('PersistentVolumeLabel');
  expect(names([], ['PersistentVolumeLabel'])).not.toContain('PersistentVolumeLabel');
});

it('a name that no plugin has is refused, as is one that is turned on and off', () => {
  expect(() => names(['Sesame'], [])).toThrow('there is no admission plugin "Sesame"');
  expect(() => names([], ['Sesame'])).toThrow('there is no admission plugin "Sesame"');
  expect(() => names(['NamespaceLifecycle'], ['NamespaceLifecycle'])).toThrow('both enabled and disabled');
});

it('a configuration that makes no sense is refused under the name of its plugin, before anything is made', async () => {
  const chosen = chosenPlugins({ enabled: ['EventRateLimit'], disabled: [] });
  const plan = (given: unknown) => planPlugins(chosen, new Map([['EventRateLimit', given]]), vocabularies.platform);
  const kind = { kind: 'Configuration', apiVersion: 'eventratelimit.admission.platform.io/v1alpha1' };
  await expect(plan({})).rejects.toThrow('the admission plugin EventRateLimit cannot be made: a Configuration of');
  await expect(plan({ ...kind, limits: [] })).rejects.toThrow('limits must be a list that is not empty');
  const planned = await plan({ ...kind, limits: [{ type: 'Server', qps: 1, burst: 1 }] });
  expect(planned.map(({ name }) => name)).toEqual(chosen.map(({ name }) => name));
});

it('the documentation says of every plugin whether it is on and what it does, in the order in which they act', () => {
  const page = readFileSync(new URL('../../docs/admission.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\w+) \| (on|off) \| (.+) \|$/gm)].map(([, name, state, does]) => ({
    name,
    byDefault: state === 'on',
    does,
  }));
  expect(rows).toEqual(PLUGINS.map(({ name, byDefault, does }) => ({ name, byDefault, does })));
});
