import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInTypes } from '../kinds/built-in.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { apiVersionOf } from './incoming.ts';
import { servedWith } from './runtime-config.ts';

const types = builtInTypes(vocabularies.platform);
const apiVersions = [...new Set(types.map(apiVersionOf))];

const EXPLAIN = 'explain.platform.io/v1alpha1';

const served = (...entries: string[]): string[] => {
  const isServed = servedWith(entries, types);
  return types.filter(isServed).map((type) => `${apiVersionOf(type)}/${type.plural}`);
};

const versionsServed = (...entries: string[]): string[] => {
  const isServed = servedWith(entries, types);
  return [...new Set(types.filter(isServed).map(apiVersionOf))];
};

describe('what is served', () => {
  it('is everything but what may vanish again, and what explains itself', () => {
    const wanted = (version: string): boolean => version === EXPLAIN || !version.includes('alpha');
    expect(versionsServed()).toEqual(apiVersions.filter(wanted));
    expect(versionsServed('api/alpha=false')).not.toContain(EXPLAIN);
  });

  it('is switched by version', () => {
    expect(versionsServed('autoscaling/v1=false')).not.toContain('autoscaling/v1');
    expect(versionsServed('networking.platform.io/v1alpha1')).toContain('networking.platform.io/v1alpha1');
    expect(versionsServed('networking.platform.io/v1alpha1=true')).toContain('networking.platform.io/v1alpha1');
  });

  it('is switched by resource, whatever its version', () => {
    expect(served('apps/v1=false', 'apps/v1/deployments=true').filter((path) => path.startsWith('apps/'))).toEqual([
      'apps/v1/deployments',
    ]);
    expect(served('apps/v1/deployments=false')).not.toContain('apps/v1/deployments');
    expect(served('apps/v1/deployments=false')).toContain('apps/v1/daemonsets');
  });

  it.each([
    ['api/beta', /beta/],
    ['api/alpha', /alpha/],
    ['api/ga', /(^|\/)v\d+$/],
  ])('is switched by stability: %s', (family, pattern) => {
    expect(versionsServed(`${family}=false`).filter((version) => pattern.test(version))).toEqual([]);
    expect(versionsServed('api/all=false', family)).toEqual(apiVersions.filter((version) => pattern.test(version)));
  });

  it('knows the core group by its path and by its version', () => {
    expect(versionsServed('api/all=false', 'api/v1')).toEqual(['v1']);
    expect(versionsServed('api/all=false', 'v1')).toEqual(['v1']);
    expect(served('api/all=false', 'api/v1/pods')).toEqual(['v1/pods']);
  });

  it('does not depend on the order of switches', () => {
    const keys = [
      'api/all',
      'api/ga',
      'api/beta',
      'api/alpha',
      'apps/v1',
      'apps/v1/deployments',
      'autoscaling/v2beta2',
    ];
    const entries = fc.dictionary(fc.constantFrom(...keys), fc.boolean());
    fc.assert(
      fc.property(entries, (switches) => {
        const given = Object.entries(switches).map(([key, value]) => `${key}=${value}`);
        expect(served(...given.toReversed())).toEqual(served(...given));
      }),
    );
  });
});

describe('a switch', () => {
  it.each(['nonsense/v1', 'batch/v1beta1=true', 'apps/v2', 'apps/v1/moons', 'apps', 'api/gamma', ''])(
    'for %s is refused, as there is no such thing',
    (entry) => {
      expect(() => servedWith([entry], types)).toThrow(/^--runtime-config: "[^\n]*" is neither/);
    },
  );

  it.each(['apps/v1=yes', 'apps/v1=', 'apps/v1=true=false'])('that says %s is refused', (entry) => {
    expect(() => servedWith([entry], types)).toThrow(/^--runtime-config: [^\n]* must be a key/);
  });
});
