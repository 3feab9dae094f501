/** The text form of a field selector that wants all of these, whatever is in the values. */
export const fieldText = (wanted: Readonly<Record<string, string>>): string =>
  Object.entries(wanted)
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
