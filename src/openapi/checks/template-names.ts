/** The names in braces of a path template or server address, in order. Source: OpenAPI 3.1.1, "Path Templating". */
export function templateNames(template: string): string[] {
  const names: string[] = []
  for (let open = template.indexOf('{'); open !== -1; ) {
    const close = template.indexOf('}', open)
    if (close === -1) break
    // Of several opening braces the last one counts.
    const start = template.lastIndexOf('{', close) + 1
    if (close > start) names.push(template.slice(start, close))
    open = template.indexOf('{', close)
  }
  return names
}
