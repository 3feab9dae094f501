import type { PodTemplateSpec } from '../../../kinds/core/pod/pod-template.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { writePodTemplate } from '../describe/pods.ts';
import { Sheet } from '../describe/sheet.ts';

/** A template as descriptions show it, with tabs between cells. */
export function templateText(template: PodTemplateSpec, vocabulary: Vocabulary): string {
  const sheet = new Sheet();
  writePodTemplate(sheet, template, vocabulary);
  return sheet.tabbedText();
}
