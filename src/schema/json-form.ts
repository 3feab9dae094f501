/** How a JSON value can look, where a union tells its forms apart by it. */
export type JsonForm = 'object' | 'array' | 'boolean';

export const formOf = (value: unknown): JsonForm | undefined => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'object' && value !== null ? 'object' : undefined;
};
