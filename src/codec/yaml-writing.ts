import { plainValue } from './yaml-scalars.ts';

/** A JSON value in YAML that every reader takes for the same, of whichever version of YAML it is. */
export const writeYaml = async (value: unknown): Promise<string> => (await yamlWriter())(value);

/** What writes such values, when the library is loaded. */
export async function yamlWriter(): Promise<(value: unknown) => string> {
  const { Document, visit } = await import('yaml');
  return (value) => {
    const document = new Document(value, { aliasDuplicateObjects: false });
    visit(document, {
      Scalar(_key, scalar) {
        if (typeof scalar.value === 'string' && !isPlain(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
      },
    });
    return document.toString();
  };
}

/** Whether a text without quotes is a text in YAML 1.1. The library knows the same of 1.2. */
function isPlain(text: string): boolean {
  try {
    return (
      text !== '<<' &&
      !text.startsWith('\ufeff') &&
      plainValue(text) === text &&
      !DATE.test(text) &&
      !SEXAGESIMAL.test(text)
    );
  } catch {
    return false;
  }
}

/** Texts to us, and something else to other readers. */
const DATE = /^\d{4}-\d\d?-\d\d?/;
const SEXAGESIMAL = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
