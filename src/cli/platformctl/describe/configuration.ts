import type { ConfigMap } from '../../../kinds/core/config/config-map.ts';
import type { Secret } from '../../../kinds/core/config/secret.ts';
import { writeIdentity } from './metadata.ts';
import { describer } from './subject.ts';
import { sortedEntries } from './texts.ts';

const bytesIn = (base64: string): number => Buffer.from(base64, 'base64').length;

export const configMap = describer<ConfigMap>((sheet, { object, vocabulary }) => {
  writeIdentity(sheet, object.metadata, vocabulary);
  for (const line of ['', 'Data', '====']) sheet.line(0, line);
  for (const [key, value] of sortedEntries(object.data)) {
    for (const line of [`${key}:`, '----', value, '']) sheet.line(0, line);
  }
  for (const line of ['', 'BinaryData', '====']) sheet.line(0, line);
  for (const [key, value] of sortedEntries(object.binaryData)) sheet.line(0, `${key}: ${bytesIn(value)} bytes`);
  sheet.line(0, '');
});

/** Values are not shown, but how long they are; a token of an account is there to be read. */
export const secret = describer<Secret>((sheet, { object, vocabulary }) => {
  writeIdentity(sheet, object.metadata, vocabulary);
  sheet.line(0, '');
  sheet.field('Type', object.type ?? '');
  for (const line of ['', 'Data', '====']) sheet.line(0, line);
  const isAccountToken = object.type === vocabulary.secretTypes.serviceAccountToken;
  for (const [key, value] of sortedEntries(object.data)) {
    const shown = isAccountToken && key === 'token' ? Buffer.from(value, 'base64').toString() : undefined;
    sheet.field(key, shown ?? `${bytesIn(value)} bytes`);
  }
}, false);
