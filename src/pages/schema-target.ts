const prefix = 'schema '

/** Names a schema among the subjects of its description; see `PageSubject.target`. */
export function toSchemaTarget(name: string): string {
  return prefix + name
}

/** The name of the schema that a target names, where it names one. */
export function fromSchemaTarget(target: string): string | undefined {
  return target.startsWith(prefix) ? target.slice(prefix.length) : undefined
}
