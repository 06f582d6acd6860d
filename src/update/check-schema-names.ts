import type { Finding } from '../diagnostic/diagnostic.ts'
import { configFileNames, type SchemaPages } from '../docs/project-config.ts'
import { fitsName } from '../pages/wanted-subjects.ts'
import { joinPath } from '../text/relative-path.ts'
import { suggest } from '../text/suggest.ts'
import type { Survey } from './survey-docs-root.ts'

/** Reports the names in `schemas` of the configuration file that no schema has. Cannot be told while a document has faults. */
export function checkSchemaNames({ config, sources, documents, root }: Survey): Finding[] {
  const file = sources.find(({ path }) => configFileNames.some((name) => path === joinPath(root, name)))?.path
  const named = documents.filter(({ isNamed }) => isNamed)
  if (file === undefined || named.some(({ index }) => index === undefined)) return []
  const names = [...new Set(named.flatMap(({ index }) => [...(index?.schemaNames ?? [])]))]
  const find = (pages: SchemaPages, pointer: string) => {
    if (typeof pages === 'boolean') return []
    return pages.flatMap((pattern, index): Finding[] => {
      if (names.some((name) => fitsName(name, pattern))) return []
      const near = suggest(pattern, names)
      const message = `Unexpected schema \`${pattern}\`, no document has one of this name`
      const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
      return [{ code: 'unknown-schema', message, file, pointer: `${pointer}/${index}`, ...hint }]
    })
  }
  const { byDefault, byLabel } = config.schemas
  return [...find(byDefault, '/schemas'), ...byLabel.flatMap(({ value, pointer }) => find(value, pointer))]
}
