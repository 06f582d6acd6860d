import type { ComponentChildren } from 'preact'
import { Icon } from '../icons/icon.tsx'
import { Code } from './code-block.tsx'

export interface CodeTab {
  /** What the tab says, and what a choice of it is kept as. */
  readonly label: string
  readonly mark?: ComponentChildren
  readonly code: string
  readonly language: string | undefined
  /** Lines that stand out, from 1. */
  readonly marked?: ReadonlySet<number>
  readonly hasNumbers?: boolean
  /** What its author wrote, which follows nothing that is typed; the playground has it, too. */
  readonly isWritten?: boolean
}

interface CodeTabsProps {
  /** Names the choice for those who do not see it. */
  readonly legend: string
  /** Of the group of radio buttons; unique on the page. */
  readonly name: string
  readonly tabs: readonly CodeTab[]
  /** Choices that are made together, on every page. */
  readonly sync?: string | undefined
}

const none: ReadonlySet<number> = new Set()

/** Codes of which one is shown at a time. Radio buttons, so that it works without script. */
export function CodeTabs({ legend, name, tabs, sync }: CodeTabsProps) {
  return (
    <div class="code">
      <div class="tabs" data-sync={sync}>
        <fieldset>
          <legend class="vh">{legend}</legend>
          {tabs.map(({ label, mark }, index) => (
            <label>
              <input type="radio" name={name} value={label} checked={index === 0} /> {mark ?? label}
            </label>
          ))}
        </fieldset>
        <button type="button" class="btn quiet icon copy needs-js" data-copy="" aria-label="Copy">
          <Icon name="copy" />
        </button>
        {tabs.map(({ label, code, language, marked = none, hasNumbers = false, isWritten }) => (
          <div data-written={isWritten ? label : undefined}>
            <Code value={code} language={language} label={`${legend}: ${label}`} marked={marked} hasNumbers={hasNumbers} />
          </div>
        ))}
      </div>
    </div>
  )
}
