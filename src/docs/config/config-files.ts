import type { Finding } from '../../diagnostics/diagnostic.ts'
import { joinPath } from '../../text/plain/paths.ts'

/** Names of the configuration file in the docs directory, in order of precedence. */
export const configFileNames = ['openapi-pages.config.yaml', 'openapi-pages.config.json'] as const

/** Name of the lock file in the docs directory. It is committed with the pages. */
export const lockFileName = 'openapi-pages.lock.json'

/**
 * Installs both commands, `openapi-pages` and `openapi-pages-app`. Until a release is on npm, where others could take the names, from Git. A release
 * makes it `npm install --global openapi-pages openapi-pages-app`, and `npm run docs` writes it into the documentation and the examples.
 */
export const installCommand = 'npm install --global --install-links git+https://github.com/openapi-pages/openapi-pages.git'

/** The JSON Schema of the configuration file, for the key `$schema`. */
export const configSchemaUrl =
  'https://raw.githubusercontent.com/openapi-pages/openapi-pages/main/docs/schemas/config.schema.json'

/** The format of `docs.json` before 2025, which is not read. */
export const oldDocsConfigName = 'mint.json'
export const oldDocsConfigHint = 'Run `npx mint upgrade` of Mintlify first, which converts it to a `docs.json`'

/** Names of the file that marks a docs directory, in order of precedence. */
export const docsConfigNames = ['docs.json', oldDocsConfigName] as const

/** The path of the `docs.json` in a docs directory. */
export function toDocsConfigPath(folder: string): string {
  return joinPath(folder, docsConfigNames[0])
}

/** Whether a path is the configuration of a docs directory. */
export function isDocsConfigPath(path: string): boolean {
  return docsConfigNames.some((name) => path === name || path.endsWith(`/${name}`))
}

/**
 * Likely misspellings of the configuration file name. Names without `config` could be OpenAPI documents, so only a few are
 * included.
 */
const likelyConfigName =
  /^(?:\.?openapi-pages[.-]config(?:\.(?:ya?ml|json[c5]?|toml|[cm]?[jt]s))?|\.openapi-pages(?:rc)?(?:\.(?:ya?ml|json|toml|[cm]?[jt]s))?|openapi-pages\.(?:ya?ml|toml))$/i

/** An OpenAPI document can have such a name too. */
const isOpenApiDocument = (text: string) => /^(?:---)?[ \t{]*["']?(?:openapi|swagger)["']?[ \t]*:/m.test(text)

/**
 * Finds files that look like a configuration file but are not read.
 *
 * @param names of the files in the docs directory itself. @param readText reads files with an ambiguous name.
 */
export async function findUnreadConfigs(
  names: readonly string[],
  readText: (name: string) => Promise<string>,
): Promise<Pick<Finding, 'code' | 'message' | 'hint' | 'file' | 'pointer'>[]> {
  const counts = configFileNames.find((name) => names.includes(name))
  const [wanted] = configFileNames
  const found: Pick<Finding, 'code' | 'message' | 'hint' | 'file' | 'pointer'>[] = []
  for (const name of names) {
    if (name === counts || !likelyConfigName.test(name)) continue
    // A case-insensitive file system lists the file under its correct name.
    if (configFileNames.some((one) => one === name.toLowerCase()) && name !== name.toLowerCase() && counts === undefined) {
      found.push(toFinding(name, 'only case-insensitive file systems find it', `Rename it to \`${name.toLowerCase()}\``))
      continue
    }
    if (!/config/i.test(name) && isOpenApiDocument(await readText(name))) continue
    if (counts !== undefined) {
      found.push(toFinding(name, `\`${counts}\` takes precedence`, `Move its settings to \`${counts}\` and delete it`))
    } else {
      const isYaml = /\.ya?ml$/i.test(name)
      found.push(toFinding(name, 'it is not read', isYaml ? `Rename it to \`${wanted}\`` : `Move its settings to \`${wanted}\``))
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

/** The version of this package. A constant, so that no run reads `package.json`; a test holds the two together. */
export const packageVersion = '0.1.0'

/** Directory for pages if `openapi` does not specify one. */
export const defaultDirectory = 'api-reference'

/** Source: GitHub, which allows these characters. */
export const repositoryPattern = '^[\\w-]+/[\\w.-]*[\\w-]$'

/** Steps that begin with a dot are hidden directories, such as `.git` and `.github`. */
export const storedPathPattern =
  '^(?![A-Za-z]:)(?:\\./)?(?:[^./\\\\][^/\\\\]*/)*[^./\\\\][^/\\\\]*\\.(?:[jJ][sS][oO][nN]|[yY][aA]?[mM][lL])$'

/** Whether a text is a repository as `owner/name`. */
export function isRepositoryName(text: string): boolean {
  return new RegExp(repositoryPattern).test(text)
}

/** Whether a document can be stored at a path relative to the docs directory. */
export function isStoredPath(path: string): boolean {
  return new RegExp(storedPathPattern).test(path)
}

/** The paths that `isStoredPath` accepts, for messages. */
export const expectedStoredPath =
  'a path in the docs directory that ends with `.json`, `.yaml` or `.yml`, without hidden directories'
