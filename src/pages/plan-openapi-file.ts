import type { Finding } from '../diagnostic/diagnostic.ts'
import type { Description } from '../openapi/types.ts'

export interface OpenApiFileOptions {
  /** The folder of `--outDir` as the person wrote it, with `/`; `''` for the working directory. */
  readonly outDir: string
}

export interface OpenApiFilePlan {
  /** In navigation order. Paths are relative to the working directory with `/`, with extension. */
  readonly files: readonly { readonly path: string; readonly content: string }[]
  /** What `docs.json` takes; pages without extension. */
  readonly navigation: readonly { readonly group: string; readonly pages: readonly string[] }[]
  readonly findings: readonly Finding[]
}

/** Plans the pages of one description as the `openapi-file` command writes them. */
export function planOpenApiFile(_description: Description, _options: OpenApiFileOptions): OpenApiFilePlan {
  return { files: [], navigation: [], findings: [] }
}
