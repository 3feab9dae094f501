import { type ComponentCondition, ComponentStatus } from '../../kinds/core/component-status.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import type { VirtualResource } from './virtual-resource.ts';

/** A part of the control plane, and how to find out whether it is well: `probe` rejects when it is not. */
export interface Component {
  readonly name: string;
  probe(): void | Promise<void>;
}

/** The health of the parts of the control plane, looked at anew for whoever asks. */
export const componentStatuses = (components: readonly Component[]): VirtualResource<ComponentStatus> => ({
  group: '',
  plural: 'componentstatuses',
  objects: () => Promise.all(components.map(statusOf)),
});

async function statusOf(component: Component): Promise<ComponentStatus> {
  const { name } = component;
  const conditions = [await conditionOf(component)];
  const status = { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions };
  return canonicalise(ComponentStatus, status).value;
}

async function conditionOf(component: Component): Promise<ComponentCondition> {
  try {
    await component.probe();
    return { type: 'Healthy', status: 'True', message: 'ok' };
  } catch (error) {
    return { type: 'Healthy', status: 'False', error: error instanceof Error ? error.message : String(error) };
  }
}
