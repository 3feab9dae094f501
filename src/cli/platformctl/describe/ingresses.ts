import type { Service } from '../../../kinds/core/service/service.ts';
import type { Ingress } from '../../../kinds/networking/ingress.ts';
import type { IngressClass } from '../../../kinds/networking/ingress-class.ts';
import { sortedSet } from '../../../kinds/printing.ts';
import { writeAnnotations, writeClusterIdentity, writeLabels } from './metadata.ts';
import { endpointsText, slicesOf } from './services.ts';
import { describer, type Subject } from './subject.ts';

type Backend = NonNullable<Ingress['spec']['defaultBackend']>;

export const ingress = describer<Ingress>(async (sheet, subject) => {
  const { metadata, spec, status } = subject.object;
  sheet.field('Name', metadata.name ?? '');
  writeLabels(sheet, metadata.labels);
  sheet.field('Namespace', metadata.namespace ?? '');
  const addresses = (status.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  sheet.field('Address', sortedSet(addresses.filter((address) => address !== '')));
  sheet.field('Ingress Class', spec.ingressClassName ?? '<none>');
  const fallback = spec.defaultBackend ? await backendText(subject, spec.defaultBackend) : '<default>';
  sheet.field('Default backend', fallback);
  if ((spec.tls ?? []).length > 0) sheet.line(0, 'TLS:');
  for (const { secretName, hosts } of spec.tls ?? []) {
    sheet.line(1, `${secretName ? `${secretName} terminates` : 'SNI routes'} ${(hosts ?? []).join(',')}`);
  }
  sheet.line(0, 'Rules:');
  sheet.table(1, ['Host', 'Path', 'Backends'], []);
  const rules = (spec.rules ?? []).filter(({ http }) => http);
  if (rules.length === 0) sheet.line(1, '*', '*', fallback);
  for (const { host, http } of rules) {
    sheet.line(1, host || '*', '');
    for (const { path, backend } of http?.paths ?? []) {
      sheet.line(2, '', `${path ?? ''} `, await backendText(subject, backend));
    }
  }
  writeAnnotations(sheet, metadata.annotations, subject.vocabulary);
});

/** `web:80 (10.0.0.1:8080)`, or the object that answers instead of a service. */
async function backendText({ object, plane, vocabulary }: Subject<Ingress>, backend: Backend): Promise<string> {
  const { service: named, resource } = backend;
  if (!named) {
    if (!resource) return '';
    return `APIGroup: ${resource.apiGroup ?? '<none>'}, Kind: ${resource.kind}, Name: ${resource.name}`;
  }
  const { namespace = '' } = object.metadata;
  const shown = `${named.name}:${named.port?.number || (named.port?.name ?? '')}`;
  try {
    const slices = await slicesOf(plane, vocabulary, namespace, named.name);
    const service = await plane.get<Service>('', 'services', namespace, named.name);
    const port = (service.spec.ports ?? []).find(({ port: number, name }) =>
      named.port?.number ? named.port.number === number : Boolean(named.port?.name) && named.port?.name === name,
    );
    return `${shown} (${endpointsText(slices, port?.name ?? '')})`;
  } catch (error) {
    return `${shown} (<error: ${error instanceof Error ? error.message : String(error)}>)`;
  }
}

export const ingressClass = describer<IngressClass>((sheet, { object, vocabulary }) => {
  const { metadata, spec } = object;
  writeClusterIdentity(sheet, metadata, vocabulary);
  sheet.field('Controller', spec.controller ?? '');
  if (!spec.parameters) return;
  sheet.line(0, 'Parameters:');
  if (typeof spec.parameters.apiGroup === 'string') sheet.field('APIGroup', spec.parameters.apiGroup, 1);
  sheet.field('Kind', spec.parameters.kind, 1);
  sheet.field('Name', spec.parameters.name, 1);
});
