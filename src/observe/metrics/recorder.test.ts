import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Histogram } from './distributions.ts';
import { METRICS } from './metrics.ts';

const { buckets } = METRICS.apiserver_request_duration_seconds;

describe('a histogram', () => {
  it('holds in each bucket all that is not above its bound', () => {
    const seconds = fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constantFrom(...buckets));
    fc.assert(
      fc.property(fc.array(seconds), (observed) => {
        const histogram = new Histogram(buckets);
        for (const value of observed) histogram.observe(value);
        const readings = histogram.readings({ verb: 'GET' });
        const expected = [...buckets, Number.POSITIVE_INFINITY].map((bound) => ({
          suffix: '_bucket',
          labels: { verb: 'GET' },
          place: ['le', bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound)],
          value: observed.filter((value) => value <= bound).length,
        }));
        const sum = observed.reduce((total, value) => total + value, 0);
        expect(readings).toEqual([
          ...expected,
          { suffix: '_sum', labels: { verb: 'GET' }, value: sum },
          { suffix: '_count', labels: { verb: 'GET' }, value: observed.length },
        ]);
      }),
    );
  });
});
