import type { Finding } from '../diagnostic/diagnostic.ts'
import { configFileNames } from './config.ts'

/** Names that somebody may give the configuration file. Without `config` in it a name may be that of a document, so that only few are taken for one. */
const likely =
  /^(?:\.?openapi-pages[.-]config(?:\.(?:ya?ml|json[c5]?|toml|[cm]?[jt]s))?|\.openapi-pages(?:rc)?(?:\.(?:ya?ml|json|toml|[cm]?[jt]s))?|openapi-pages\.(?:ya?ml|toml))$/i

/** A document of OpenAPI, which may be called so too. */
const isDocument = (text: string) => /^[ \t{]*["']?(?:openapi|swagger)["']?[ \t]*:/m.test(text)

/**
 * Files of a docs root that look like its configuration file and are not read.
 *
 * @param names of the files in the folder itself.
 * @param readText is asked for those whose name may be another's.
 */
export async function findUnreadConfigs(
  names: readonly string[],
  readText: (name: string) => Promise<string>,
): Promise<Pick<Finding, 'code' | 'message' | 'hint' | 'file' | 'pointer'>[]> {
  const counts = configFileNames.find((name) => names.includes(name))
  const [wanted] = configFileNames
  const found: Pick<Finding, 'code' | 'message' | 'hint' | 'file' | 'pointer'>[] = []
  for (const name of names) {
    if (name === counts || !likely.test(name)) continue
    // A disk on which capitals make no difference gives it under the right name.
    if (configFileNames.some((one) => one === name.toLowerCase()) && name !== name.toLowerCase() && counts === undefined) {
      found.push(toFinding(name, 'it is read only where capitals make no difference', `rename it to \`${name.toLowerCase()}\``))
      continue
    }
    if (!/config/i.test(name) && isDocument(await readText(name))) continue
    if (counts !== undefined) {
      found.push(toFinding(name, `\`${counts}\` counts`, `move what it sets into \`${counts}\`, and remove it`))
    } else {
      const isYaml = /\.ya?ml$/i.test(name)
      found.push(
        toFinding(name, 'it is not read', isYaml ? `rename it to \`${wanted}\`` : `write what it sets into \`${wanted}\``),
      )
    }
  }
  return found
}

function toFinding(name: string, reason: string, hint: string) {
  return {
    code: 'config-not-read',
    message: `Unexpected configuration file \`${name}\`: ${reason}`,
    hint,
    file: name,
    pointer: '',
  } as const
}
