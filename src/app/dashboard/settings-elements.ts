import { type ComponentChild, h } from 'preact'
import type { Collaborator } from '../../github/repository.ts'
import type { Project } from '../../status/types.ts'
import type { SiteDomain } from '../../store/sites/domain-store.ts'
import type { QuotaUse } from '../quotas.ts'

export interface SettingsPage {
  readonly project: Project
  /** The submitted values, or those of the project. */
  readonly values: { readonly subdomain: string; readonly enabled: boolean; readonly siteAccess: Project['siteAccess'] }
  /** Why a submitted value was rejected. */
  readonly mistake:
    | {
        readonly subdomain?: string
        readonly confirm?: string
        readonly domain?: string
        readonly dns?: string
        readonly previews?: PreviewMistake
      }
    | undefined
  readonly notice: ComponentChild
  /** Quota usage of the installation; empty if there is no installation. */
  readonly quotas: readonly QuotaUse[]
  readonly domain: SiteDomain | undefined
  readonly configFile: ConfigFile | undefined | 'unreachable'
  readonly members: readonly Collaborator[] | 'unreachable'
}

/** The submitted limits of previews, and why they were rejected. */
interface PreviewMistake {
  readonly values: { readonly maxPreviews: string; readonly previewDays: string }
  readonly maxPreviews?: string | undefined
  readonly previewDays?: string | undefined
}

/** The configuration file on the default branch. */
export interface ConfigFile {
  /** Relative to the repository. */
  readonly path: string
  /** Untrusted. */
  readonly value: unknown
}

interface TextField {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly hint: string
  readonly mistake: string | undefined
  /** Digits, and may be empty. */
  readonly isNumber?: boolean
}

export function textField({ name, label, value, hint, mistake, isNumber = false }: TextField): ComponentChild {
  return [
    h(
      'div',
      { class: 'field' },
      h(
        'label',
        { for: name },
        label,
        h('input', {
          id: name,
          name,
          value,
          required: !isNumber,
          ...(isNumber && { inputMode: 'numeric' }),
          maxLength: isNumber ? 6 : 300,
          autocomplete: 'off',
          spellcheck: false,
          'aria-describedby': mistake === undefined ? `${name}-hint` : `${name}-mistake ${name}-hint`,
          ...(mistake !== undefined && { 'aria-invalid': 'true' }),
        }),
      ),
    ),
    mistake !== undefined && h('p', { class: 'mistake', id: `${name}-mistake` }, mistake),
    h('p', { class: 'hint', id: `${name}-hint` }, hint),
  ]
}

/** Names and values, one pair per line. */
export function definitions(rows: readonly (readonly [ComponentChild, ComponentChild])[]): ComponentChild {
  return (
    rows.length > 0 &&
    h(
      'dl',
      { class: 'values' },
      rows.map(([term, value]) => h('div', null, h('dt', null, term), h('dd', null, value))),
    )
  )
}

/** A radio button. */
export function choice(name: string, value: string, chosen: string, label: string, note: string): ComponentChild {
  return h(
    'label',
    { class: 'choice' },
    h('input', { type: 'radio', name, value, checked: value === chosen }),
    h('span', null, label, h('small', null, note)),
  )
}
