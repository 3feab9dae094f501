import { describe, expect, it } from 'vitest';
import { pod } from '../../../../test/pods.ts';
import { changed, problemsOfChange } from '../../../../test/problems-of.ts';
import { Pod } from './pod.ts';
import { validatePodStatusUpdate } from './pod-status-validation.ts';

describe('the status of a pod', () => {
  const ended = (exitCode: number) => ({
    containerStatuses: [{ name: 'main', state: { terminated: { exitCode } } }],
  });
  const running = { containerStatuses: [{ name: 'main', state: { running: {} } }] };
  const report = (restartPolicy: string, before: unknown, after: unknown) => {
    const base = pod({ restartPolicy });
    return problemsOfChange(
      Pod,
      validatePodStatusUpdate,
      changed(base, { status: before }),
      changed(base, { status: after }),
    );
  };

  it.each([
    [{ podIPs: [{ ip: 'x' }] }, 'Invalid status.podIPs[0]'],
    [{ podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] }, 'Invalid status.podIPs'],
    [{ nominatedNodeName: 'A' }, 'Invalid status.nominatedNodeName'],
    [{ conditions: [{ type: 'Ready' }, { type: 'a b' }] }, 'Invalid metadata.conditions[1].Type'],
  ])('like %j is refused', (status, cause) => {
    expect(report('Always', {}, status)).toEqual([cause]);
  });

  it('may have an address of each family', () => {
    expect(report('Always', {}, { podIPs: [{ ip: '10.0.0.1' }, { ip: '::2' }] })).toEqual([]);
  });

  it('lets no container start again that has ended for good', () => {
    const cause = ['Forbidden status.containerStatuses[0].state'];
    expect(report('Never', ended(1), running)).toEqual(cause);
    expect(report('OnFailure', ended(0), running)).toEqual(cause);
    expect(report('OnFailure', ended(1), running)).toEqual([]);
    expect(report('Always', ended(0), running)).toEqual([]);
  });

  it('does not move the pod', () => {
    const after = changed(pod(), { spec: { nodeName: 'n' } });
    expect(problemsOfChange(Pod, validatePodStatusUpdate, pod(), after)).toEqual(['Forbidden status.nodeName']);
  });
});
