import { checkDescription, type DescriptionCheck } from '../../../src/checks/check-description.ts'
import { createReference, type Reference } from '../../../src/site/reference/create-reference.ts'

/** Checks a description. The first file is the entry document. Values are written as JSON. */
export async function checkFiles(files: Readonly<Record<string, unknown>>): Promise<DescriptionCheck> {
  const [entry = ''] = Object.keys(files)
  return checkDescription(entry, async (path) => {
    const value = files[path]
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return value === undefined
      ? { kind: 'failed', code: 'file-missing', reason: 'no such file' }
      : { kind: 'loaded', bytes: new TextEncoder().encode(text) }
  })
}

/** Creates the reference of a description. Throws if nothing could be read. */
export async function referenceOf(files: Readonly<Record<string, unknown>>): Promise<Reference> {
  const reference = await createReference(await checkFiles(files))
  if (!reference) throw new Error('The description could not be read')
  return reference
}

/** Creates a document with these schemas and other fields. */
export function documentOf(schemas: object, more: object = {}, version = '3.1.0'): object {
  return { openapi: version, info: { title: 'Pets', version: '1' }, paths: {}, components: { schemas }, ...more }
}
