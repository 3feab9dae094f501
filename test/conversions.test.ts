import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutKeptAnnotations } from '../src/kinds/autoscaling/v1/conversion.ts';
import { builtInTypes } from '../src/kinds/built-in.ts';
import { apiVersionOf } from '../src/registry/incoming.ts';
import type { ApiObject, ResourceType } from '../src/registry/resource-type.ts';
import { fromHub, hubOf, toHub } from '../src/registry/versions.ts';
import { canonicalise } from '../src/schema/derive/canonical.ts';
import { applyDefaults } from '../src/schema/derive/defaults.ts';
import { draftOf } from '../src/schema/draft.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { arbitraryOf } from './arbitrary.ts';

const v = vocabularies.platform;
const versions = builtInTypes(v)
  .filter(({ conversion }) => conversion)
  .map((type) => ({ name: `${apiVersionOf(type)} ${type.kind}`, type }));

/** Objects of a type as they are once they have been read and filled in. */
const objectsOf = (type: ResourceType): fc.Arbitrary<ApiObject> =>
  arbitraryOf(type.schema).map((document) => {
    const { value } = canonicalise(type.schema, document);
    value.kind = type.kind;
    value.apiVersion = apiVersionOf(type);
    applyDefaults(type.schema, value);
    return prepared(type, canonicalise(type.schema, value).value);
  });

interface SimpleAutoscaler extends ApiObject {
  spec: { targetCPUUtilizationPercentage?: number };
}

const isSimpleAutoscaler = ({ group, version }: ResourceType): boolean => group === 'autoscaling' && version === 'v1';

/** The simplest autoscaler has no way to say that nothing is measured. */
function prepared(type: ResourceType, object: ApiObject): ApiObject {
  if (isSimpleAutoscaler(type)) (object as SimpleAutoscaler).spec.targetCPUUtilizationPercentage ??= 80;
  return canonicalise(type.schema, object).value;
}

/** What an object says apart from annotations by which a version keeps what it has no fields for. */
function ownWords(object: ApiObject): ApiObject {
  const { annotations, ...metadata } = object.metadata;
  const others = withoutKeptAnnotations(annotations, v);
  return { ...object, metadata: Object.keys(others).length === 0 ? metadata : { ...metadata, annotations: others } };
}

describe.each(versions)('$name', ({ type }) => {
  const hub = hubOf(type);
  const store = (object: ApiObject, stored?: ApiObject): ApiObject => toHub(type, draftOf(object), stored);

  it('says the same after it was stored', () => {
    fc.assert(
      fc.property(objectsOf(type), (object) => {
        const shown = fromHub(type, store(object));
        expect(JSON.stringify(ownWords(shown))).toBe(JSON.stringify(ownWords(object)));
        expect(JSON.stringify(store(shown))).toBe(JSON.stringify(store(object)));
      }),
    );
  });

  it('loses nothing of what is stored', () => {
    fc.assert(
      fc.property(objectsOf(hub), (object) => {
        const before = JSON.stringify(object);
        expect(JSON.stringify(canonicalise(hub.schema, store(fromHub(type, object), object)).value)).toBe(before);
        expect(JSON.stringify(object)).toBe(before);
      }),
    );
  });
});

describe('an autoscaler in v1', () => {
  const type = versions.find(({ type }) => isSimpleAutoscaler(type))?.type;
  const v1 = type ?? expect.unreachable('there is no such version');

  const cpu = (averageUtilization: number) => ({
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
  });
  const memory = {
    type: 'Resource',
    resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
  };

  const stored = (metrics: readonly object[], annotations?: object): ApiObject =>
    canonicalise(hubOf(v1).schema, {
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v2',
      metadata: { name: 'a', annotations },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 1, maxReplicas: 3, metrics },
    }).value;

  it('keeps the order of metrics when it is written', () => {
    const autoscaler = stored([memory, cpu(70), memory]);
    const shown = draftOf(fromHub(v1, autoscaler) as SimpleAutoscaler);
    shown.spec.targetCPUUtilizationPercentage = 50;
    expect(toHub(v1, draftOf(shown), autoscaler)).toMatchObject({ spec: { metrics: [memory, cpu(50), memory] } });
  });

  it('shows the first of several targets for the CPU and keeps the others', () => {
    const autoscaler = stored([cpu(70), cpu(80)]);
    const shown = fromHub(v1, autoscaler);
    expect(shown).toMatchObject({ spec: { targetCPUUtilizationPercentage: 70 } });
    expect(toHub(v1, draftOf(shown), autoscaler)).toEqual(autoscaler);
  });

  it.each(['[', '{}', '[1]', '[{"type":5}]', 'null'])('takes no metrics from the annotation %s', (text) => {
    const shown = draftOf(fromHub(v1, stored([cpu(70)])));
    shown.metadata.annotations = { [v.annotations.autoscalingMetrics]: text, mine: 'yes' };
    const read = toHub(v1, shown);
    expect(read).toMatchObject({ metadata: { annotations: { mine: 'yes' } }, spec: { metrics: [cpu(70)] } });
    expect(read.metadata.annotations).toEqual({ mine: 'yes' });
  });
});
