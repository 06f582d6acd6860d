import { join } from 'node:path'
import { oldDocsConfigName, toDocsConfigPath } from '../../docs-config/config-files.ts'
import { ConfigError } from '../../errors.ts'
import { isObject, type JsonObject, listObjects, readOwn } from '../../source/is-object.ts'
import { parseSource } from '../../source/parse-source.ts'
import { toLineStarts, toPosition } from '../../source/position.ts'
import { joinPath, normalizePath } from '../../source/relative-path.ts'
import { toSourceFile } from '../../source/source-file.ts'
import { statPath, type Workspace } from '../workspace.ts'
import type { PlannedFile } from './setup-plan.ts'

/** The docs directories that have a `mint.json`, the format before 2025, and no `docs.json`. */
export function findMintConfigs(
  docsDirectories: readonly string[],
  { boundary }: Pick<Workspace, 'boundary'>,
): readonly string[] {
  return docsDirectories.filter((folder) => !statPath(join(boundary, toDocsConfigPath(folder))))
}

/**
 * Plans a `docs.json` with the content of the `mint.json` in a folder.
 *
 * @throws {ConfigError} if the file cannot be converted.
 */
export async function planUpgrade(folder: string, { environment, toShown }: Workspace): Promise<PlannedFile> {
  const path = joinPath(folder, oldDocsConfigName)
  const refuse = (reason: string, hint?: string) =>
    new ConfigError(`cannot convert ${toShown(path)}: ${reason}`, hint === undefined ? {} : { hint })
  const result = await environment.files.read(path)
  if (result.kind !== 'file') throw refuse('it cannot be read')
  const source = toSourceFile(path, result.bytes)
  const { value, faults } = await parseSource(source)
  const [fault] = faults
  if (fault) {
    const { line, column } = toPosition(toLineStarts(source.text), fault.offsets.start)
    throw refuse(`line ${line}, column ${column}: ${fault.message.replaceAll('`', '')}`, fault.hint)
  }
  if (!isObject(value)) throw refuse('it is not a JSON object')
  if (isObject(value['navigation']))
    throw refuse('its navigation has the format of a docs.json', 'Rename the file to `docs.json`')
  for (const key of ['navigation', 'tabs', 'anchors']) {
    const list = readOwn(value, key)
    const isList = Array.isArray(list) && (key === 'navigation' || list.every(isObject))
    if (list !== undefined && !isList) throw refuse(`unexpected value for ${key}, expected a list of objects`)
  }
  const content = `${JSON.stringify(upgradeMintConfig(value), undefined, 2)}\n`
  return { path: toDocsConfigPath(folder), content, why: `replaces ${oldDocsConfigName}, which you can delete` }
}

/** A tab or anchor with the groups whose pages are below its `url`. */
interface GroupOwner {
  readonly value: JsonObject
  /** `undefined` for a URL of another site. */
  readonly directory: string | undefined
  readonly groups: unknown[]
}

/** The themes of `mint.json`, which `docs.json` does not have. */
const oldThemes: readonly unknown[] = [undefined, 'venus', 'quill', 'prism']

/**
 * Converts the content of a `mint.json` to that of a `docs.json`. In a `mint.json`, `navigation` is a list of groups, each belonging to the
 * tab or anchor whose `url` is a prefix of its page paths, and `openapi` is a top-level key.
 *
 * Keys without an equal in `docs.json` are kept, and `check` reports them.
 */
function upgradeMintConfig(mint: JsonObject): JsonObject {
  const { $schema: _, theme, navigation, tabs, anchors, primaryTab, topAnchor, openapi, api, ...others } = mint
  const { topbarLinks, topbarCtaButton, footerSocials, modeToggle, ...rest } = others
  const tabOwners = listObjects(tabs).map(toOwner)
  const anchorOwners = listObjects(anchors).map(toOwner)
  const rootGroups: unknown[] = []
  for (const group of Array.isArray(navigation) ? navigation : []) {
    const path = firstPage(group)
    const isBelow = ({ directory }: GroupOwner) => path === directory || path?.startsWith(`${directory}/`)
    const owners = [...tabOwners, ...anchorOwners].filter((owner) => owner.directory !== undefined && isBelow(owner))
    const nearest = owners.toSorted((a, b) => (b.directory?.length ?? 0) - (a.directory?.length ?? 0))[0]
    const groups = nearest?.groups ?? rootGroups
    groups.push(group)
  }
  const isLink = ({ value, groups }: GroupOwner) => groups.length === 0 && value['openapi'] === undefined
  const links = anchorOwners.filter(isLink).map((owner) => toDivision('anchor', owner))
  const lists = {
    tabs: tabOwners.map((owner) => toDivision('tab', owner)),
    anchors: anchorOwners.filter((owner) => !isLink(owner)).map((owner) => toDivision('anchor', owner)),
  }
  // A host shows either groups or tabs, so the groups of no tab get their own.
  if (rootGroups.length > 0 && lists.tabs.length > 0) {
    lists.tabs.unshift({ tab: nameOf(primaryTab), groups: rootGroups })
  } else if (rootGroups.length > 0 && lists.anchors.length > 0) {
    lists.anchors.unshift({ anchor: nameOf(topAnchor), groups: rootGroups })
  }
  const hasLists = lists.tabs.length + lists.anchors.length > 0
  const navbar = {
    ...(Array.isArray(topbarLinks) ? { links: listObjects(topbarLinks).map(toLink) } : {}),
    ...(isObject(topbarCtaButton) ? { primary: { type: 'button', ...toLink(topbarCtaButton) } } : {}),
  }
  const footer = { ...(isObject(rest['footer']) ? rest['footer'] : {}), socials: toSocials(footerSocials) }
  return {
    theme: oldThemes.includes(theme) ? 'mint' : theme,
    ...rest,
    ...(api === undefined && openapi === undefined
      ? {}
      : { api: { ...(isObject(api) ? toApi(api) : {}), ...(openapi === undefined ? {} : { openapi }) } }),
    ...(isObject(modeToggle) ? { appearance: toAppearance(modeToggle) } : {}),
    ...(Object.keys(navbar).length > 0 ? { navbar } : {}),
    ...(footerSocials === undefined ? {} : { footer }),
    navigation: {
      ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
      ...(hasLists ? {} : { groups: rootGroups }),
      ...(links.length > 0 ? { global: { anchors: links } } : {}),
    },
  }
}

function toOwner(value: JsonObject): GroupOwner {
  const { url } = value
  const isPath = typeof url === 'string' && !/^[a-z][a-z0-9+.-]*:/i.test(url)
  return { value, directory: isPath ? normalizePath(url) || undefined : undefined, groups: [] }
}

function toDivision(label: 'tab' | 'anchor', { value, directory, groups }: GroupOwner): JsonObject {
  const { name, url, openapi, ...rest } = value
  const href = directory === undefined ? url : `/${directory}`
  return {
    [label]: name,
    ...rest,
    ...(openapi === undefined ? {} : { openapi: withDirectory(openapi, directory) }),
    ...(groups.length > 0 ? { groups } : openapi === undefined ? { href } : {}),
  }
}

/** In a `mint.json`, the pages of a document go below the `url` of its tab. */
/** The settings of `api`. Those of pages without a document are below `mdx` in a `docs.json`. */
function toApi({ baseUrl, auth, ...rest }: JsonObject): JsonObject {
  if (baseUrl === undefined && auth === undefined) return rest
  return { mdx: { ...(baseUrl === undefined ? {} : { server: baseUrl }), ...(auth === undefined ? {} : { auth }) }, ...rest }
}

function withDirectory(openapi: unknown, directory: string | undefined): unknown {
  if (directory === undefined) return openapi
  if (Array.isArray(openapi)) return openapi.map((each) => withDirectory(each, directory))
  if (typeof openapi === 'string') return { source: openapi, directory }
  return isObject(openapi) ? { directory, ...openapi } : openapi
}

/** Returns the path of the first page of a group or of its nested groups. */
function firstPage(group: unknown): string | undefined {
  let pages: unknown = group
  // No host shows groups deeper than this.
  for (let depth = 0; depth < 100 && isObject(pages); depth++) {
    const list: unknown = pages['pages']
    const first: unknown = Array.isArray(list) ? list[0] : undefined
    if (typeof first === 'string') return normalizePath(first)
    pages = first
  }
  return undefined
}

function nameOf(value: unknown): string {
  return isObject(value) && typeof value['name'] === 'string' ? value['name'] : 'Documentation'
}

function toLink({ name, url, ...rest }: JsonObject): JsonObject {
  return { ...(name === undefined ? {} : { label: name }), ...(url === undefined ? {} : { href: url }), ...rest }
}

/** A list of `type` and `url`, or an object with one URL for each type. */
function toSocials(written: unknown): unknown {
  if (!Array.isArray(written)) return written
  return Object.fromEntries(listObjects(written).map(({ type, url }) => [type, url]))
}

function toAppearance({ default: byDefault, isHidden }: JsonObject): JsonObject {
  return { ...(byDefault === undefined ? {} : { default: byDefault }), ...(isHidden === undefined ? {} : { strict: isHidden }) }
}
