import { checkDescription } from '../../src/checks/check-description.ts'
import type { Description } from '../../src/openapi/types.ts'

/** The description of a text with the path `openapi.yaml`. */
export async function describeOpenApi(text: string): Promise<Description> {
  const { description } = await checkDescription('openapi.yaml', async () => ({
    kind: 'loaded',
    bytes: new TextEncoder().encode(text),
  }))
  if (!description) throw new Error('no description')
  return description
}
