import type { CertificateUse } from '../explain/plane/certificates.ts';
import { flowTopic, loopsTopic, processTopic, storageTopic, webhooksTopic } from '../explain/plane/part-topics.ts';
import { PlaneFiguresStore } from '../explain/plane/plane-figures.ts';
import { requestsTopic, watchEventsTopic, watchesTopic } from '../explain/plane/request-topics.ts';
import type { Credentials } from './credentials.ts';
import type { CurrentCredentials } from './current-credentials.ts';
import type { Plan } from './plan.ts';

/** Keeps what the plane does over an hour, until it is closed. */
export function planeFiguresFor(
  { runtime, vocabulary, metrics: { recorder } }: Plan,
  credentials: CurrentCredentials,
): PlaneFiguresStore {
  return new PlaneFiguresStore({
    runtime,
    group: vocabulary.groups.explain,
    topics: [
      requestsTopic(recorder),
      watchesTopic(recorder),
      watchEventsTopic(recorder),
      webhooksTopic(recorder),
      flowTopic(recorder),
      storageTopic(recorder),
      processTopic(),
      loopsTopic(recorder),
    ],
    certificates: () => certificatesOf(credentials.current),
  });
}

const certificatesOf = ({ serving, named, admin, ca, clientCas, proxyCas }: Credentials): CertificateUse[] => [
  { use: 'serving', pem: serving.certificate },
  ...named.map(({ names, cert }) => ({ use: `serving ${names.join(', ')}`, pem: cert })),
  { use: 'administrator', pem: admin.certificate },
  { use: 'own authority', pem: ca.certificate },
  ...clientCas.slice(1).map(({ source, pem }) => ({ use: `authority of clients, ${source}`, pem })),
  ...proxyCas.map(({ source, pem }) => ({ use: `authority of proxies, ${source}`, pem })),
];
