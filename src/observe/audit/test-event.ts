import { AuditEvent, type EventBodies } from './event.ts';

/** An event of no importance, for tests. */
export const sampleEvent = (auditID: string, bodies: EventBodies = {}): AuditEvent =>
  new AuditEvent(
    {
      kind: 'Event',
      apiVersion: 'audit.platform.io/v1',
      level: 'Metadata',
      auditID,
      stage: 'ResponseComplete',
      requestURI: '/api/v1/namespaces/default/pods',
      verb: 'list',
      user: { username: 'alice', groups: ['dev', 'ops'] },
      sourceIPs: ['192.0.2.7'],
      responseStatus: { metadata: {}, code: 200 },
      requestReceivedTimestamp: '2022-08-23T10:00:00.000000Z',
      stageTimestamp: '2022-08-23T10:00:00.000123Z',
    },
    bodies,
  );
