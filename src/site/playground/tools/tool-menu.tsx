import { useRef } from 'preact/hooks'
import type { DescribedOperation } from '../../request/read-operation.ts'
import { LoadingNote, useLazyModule } from '../loading.tsx'
import { Icon } from '../pieces.tsx'
import { say } from '../playground-messages.ts'
import type { CredentialValues, PlaygroundValues } from '../types.ts'

/** The tools of the dialog. Each loads when the reader selects it. */
const tools = {
  import: { label: 'Import curl', get: async () => (await import('./import-panel.tsx')).ImportPanel },
  environments: { label: 'Environments', get: async () => (await import('./environments-panel.tsx')).EnvironmentsPanel },
} as const

export type Tool = keyof typeof tools

interface ToolMenuProps {
  /** The name of the selected environment, if any. */
  readonly environment: string | undefined
  readonly onSelect: (tool: Tool) => void
}

export function ToolMenu({ environment, onSelect }: ToolMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => menu.current?.removeAttribute('open')
  return (
    <details
      ref={menu}
      class="menu tool-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return
        // Keeps the dialog open.
        event.preventDefault()
        close()
        menu.current.querySelector('summary')?.focus()
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close()
      }}
    >
      <summary class="btn quiet">
        <span class="cut">{environment ?? say('Tools')}</span> <Icon name="down" />
      </summary>
      <div>
        {Object.entries(tools).map(([tool, { label }]) => (
          <button
            type="button"
            onClick={() => {
              close()
              menu.current?.querySelector('summary')?.focus()
              onSelect(tool as Tool) // The keys of `tools`.
            }}
          >
            {say(label)}
          </button>
        ))}
      </div>
    </details>
  )
}

interface ToolPanelProps {
  readonly tool: Tool
  readonly operation: DescribedOperation
  readonly values: PlaygroundValues
  readonly onImport: (values: PlaygroundValues, credentials: CredentialValues | undefined) => void
  /** Called when the environments have changed. */
  readonly onChange: () => void
  readonly onClose: () => void
}

/** The dialog of a tool. */
export function ToolPanel({ tool, ...props }: ToolPanelProps) {
  const { label, get } = tools[tool]
  const part = useLazyModule<(props: Omit<ToolPanelProps, 'tool'>) => unknown>(get)
  const Panel = part.module as ((props: Omit<ToolPanelProps, 'tool'>) => null) | undefined
  return Panel ? <Panel {...props} /> : <LoadingNote what={say(label)} part={part} />
}
