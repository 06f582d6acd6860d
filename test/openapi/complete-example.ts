/** Adds the fields that an example of the documentation omits. */
export function completeExample(text: string): string {
  const missing = [
    ['openapi', '3.1.0'],
    ['info', '{title: Pets, version: 1.0.0}'],
    ['paths', '{}'],
  ].filter(([key]) => !new RegExp(`^${key}:`, 'm').test(text))
  return `${missing.map(([key, value]) => `${key}: ${value}\n`).join('')}${text}`
}
