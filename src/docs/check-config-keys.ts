import type { Finding } from '../diagnostic/diagnostic.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { suggest } from '../text/suggest.ts'
import { divisionKeys, docsConfigKeys, mintConfigKeys } from './config-keys.ts'
import { divisionLists } from './read-divisions.ts'
import type { Division, DocsConfig } from './types.ts'

/** Reports keys of a `docs.json` or `mint.json` that hosts pass over: most are mistyped, or stand in the wrong place. They stay as they are. */
export function checkConfigKeys({ source, value, divisions }: DocsConfig): Finding[] {
  const file = source.path
  const name = file.slice(file.lastIndexOf('/') + 1)
  const isMint = name === 'mint.json'
  const known: readonly string[] = isMint ? mintConfigKeys : docsConfigKeys
  const atTop = Object.keys(value).filter((key) => !known.includes(key) && !key.startsWith('x-'))
  return [
    ...atTop.map((key) => {
      const belongs = !isMint && mintOnly[key]
      return toFinding(file, '', key, `\`${name}\``, belongs ? `write ${belongs}` : didYouMean(key, known))
    }),
    ...(isMint ? [] : divisions.flatMap((division) => checkDivision(division, file))),
  ]
}

/** What keys of a `mint.json` are called in a `docs.json`. */
const mintOnly: { readonly [key: string]: string | undefined } = {
  tabs: '`tabs` inside `navigation`',
  anchors: '`anchors` inside `navigation`',
  versions: '`versions` inside `navigation`',
  openapi: '`openapi` inside `api`',
  topbarLinks: '`links` inside `navbar`',
  topbarCtaButton: '`primary` inside `navbar`',
  footerSocials: '`socials` inside `footer`',
  modeToggle: '`appearance`',
  analytics: '`integrations`',
  font: '`fonts`',
}

function checkDivision({ kind, keys, pointer }: Division, file: string): Finding[] {
  const known = divisionKeys(kind)
  return keys.flatMap((key) => {
    if (known.includes(key) || key.startsWith('x-')) return []
    // A host shows nothing of such a list, whereas its pages count as listed here.
    const hint =
      Object.hasOwn(divisionLists, key) && kind === 'group' ? 'a group lists its groups in `pages`' : didYouMean(key, known)
    return toFinding(file, pointer, key, kind === 'navigation' ? '`navigation`' : `this \`${kind}\``, hint)
  })
}

function didYouMean(key: string, known: readonly string[]): string | undefined {
  const near = suggest(key, known)
  return near === undefined ? undefined : `did you mean \`${near}\`?`
}

function toFinding(file: string, pointer: string, key: string, where: string, hint: string | undefined): Finding {
  return {
    code: 'docs-config-key',
    message: `Unexpected key \`${key}\` in ${where}: hosts pass over it`,
    file,
    pointer: pointerChild(pointer, key),
    on: 'key',
    ...(hint === undefined ? {} : { hint }),
  }
}
