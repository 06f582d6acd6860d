import type { PageBinding } from './types.ts'

/** Writes a binding as it stands in frontmatter: `openapi.yaml GET /pets`, `openapi.yaml webhook orderShipped`, `openapi.yaml Pet`. */
export function formatBinding(binding: PageBinding): string {
  return binding.file === undefined ? formatTarget(binding) : `${binding.file} ${formatTarget(binding)}`
}

/** A binding without its file: `GET /pets`, `webhook orderShipped`, `Pet`. Names an operation inside one document. */
export function formatTarget(binding: PageBinding): string {
  switch (binding.kind) {
    case 'operation':
      return `${binding.method.toUpperCase()} ${binding.pathTemplate}`
    case 'webhook':
      return `webhook ${binding.name}`
    case 'schema':
      return binding.name
  }
}

/** The key of frontmatter that a binding stands under. */
export function bindingKey({ kind }: PageBinding): 'openapi' | 'openapi-schema' {
  return kind === 'schema' ? 'openapi-schema' : 'openapi'
}
