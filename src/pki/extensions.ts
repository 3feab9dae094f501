import { TAG } from './der.ts';
import { type Element, readElements } from './der-reader.ts';

/** An extension of a certificate, or one that a request asks for. */
export interface Extension {
  /** Its object identifier in DER, as hexadecimal digits. */
  readonly id: string;
  readonly critical: boolean;
  readonly value: Buffer;
}

/** `SEQUENCE { id, critical DEFAULT FALSE, OCTET STRING { value } }` */
export function readExtension({ content }: Element): Extension {
  const [id, ...rest] = readElements(content);
  const value = rest.at(-1);
  if (!id || value?.tag !== TAG.octetString) throw new Error('not a certificate extension');
  const critical = rest.length > 1 && rest[0]?.tag === TAG.boolean && rest[0].content[0] !== 0;
  return { id: id.whole.toString('hex'), critical, value: value.content };
}
