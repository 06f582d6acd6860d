/** The names in braces of a path template or server address, in order. Source: OpenAPI 3.1.1, "Path Templating". */
export function templateNames(template: string): string[] {
  return Array.from(template.matchAll(/\{([^{}]+)\}/g), (match) => match[1] ?? '')
}
