import { useState } from 'preact/hooks'
import { Icon } from '../pieces.tsx'
import { type Environment, type Environments, isSecret, readEnvironments, writeEnvironments } from './environments.ts'
import { ToolDialog } from './tool-dialog.tsx'

interface EnvironmentsPanelProps {
  readonly onChange: () => void
  readonly onClose: () => void
}

/** Selects and edits environments. Every change is stored immediately. */
export function EnvironmentsPanel({ onChange, onClose }: EnvironmentsPanelProps) {
  const [{ selected, all }, setEnvironments] = useState(readEnvironments)
  const environment = all[selected]
  const set = (next: Environments) => {
    setEnvironments(next)
    writeEnvironments(next)
    onChange()
  }
  const edit = (part: Partial<Environment>) =>
    set({ selected, all: all.map((one, index) => (index === selected ? { ...one, ...part } : one)) })
  const add = () => {
    const used = new Set(all.map(({ name }) => name))
    let name = 'Environment'
    for (let number = 2; used.has(name); number++) name = `Environment ${number}`
    set({ selected: all.length, all: [...all, { name, variables: [{ name: '', value: '' }] }] })
  }
  const variables = environment?.variables ?? []
  const editVariable = (index: number, part: Partial<Environment['variables'][number]>) =>
    edit({ variables: variables.map((one, at) => (at === index ? { ...one, ...part } : one)) })
  return (
    <ToolDialog title="Environments" onClose={onClose}>
      <p class="p-desc">
        Write <code>{'{{name}}'}</code> in any field to use a variable of the selected environment. Environments are kept in this
        browser. The values of variables with names such as <code>token</code> are kept until you close the tab, and are not part
        of code samples.
      </p>
      <div class="tool-row">
        <select
          class="in"
          aria-label="Environment"
          value={String(selected)}
          onChange={({ currentTarget }) => set({ selected: Number(currentTarget.value), all })}
        >
          <option value="-1">No environment</option>
          {all.map(({ name }, index) => (
            <option value={String(index)}>{name}</option>
          ))}
        </select>
        <button type="button" class="btn" onClick={add}>
          <Icon name="plus" /> Add environment
        </button>
      </div>
      {environment && (
        <>
          <label class="tool-row">
            <span class="p-name">Name</span>
            <input class="in" value={environment.name} onInput={({ currentTarget }) => edit({ name: currentTarget.value })} />
          </label>
          {variables.map(({ name, value }, index) => (
            <div class="tool-row">
              <input
                class="in mono"
                aria-label={`Name of variable ${index + 1}`}
                placeholder="name"
                autocomplete="off"
                spellcheck={false}
                value={name}
                onInput={({ currentTarget }) => editVariable(index, { name: currentTarget.value.replace(/[{}\s]/g, '') })}
              />
              <input
                class="in mono"
                // Preact's types require a literal here.
                {...({ type: isSecret(name) ? 'password' : 'text' } as object)}
                aria-label={`Value of ${name || `variable ${index + 1}`}`}
                placeholder="value"
                autocomplete={isSecret(name) ? 'new-password' : 'off'}
                spellcheck={false}
                value={value}
                onInput={({ currentTarget }) => editVariable(index, { value: currentTarget.value })}
              />
              <button
                type="button"
                class="btn quiet icon"
                aria-label={`Remove ${name || `variable ${index + 1}`}`}
                onClick={() => edit({ variables: variables.toSpliced(index, 1) })}
              >
                <Icon name="x" />
              </button>
            </div>
          ))}
          <p class="tool-actions">
            <button type="button" class="btn" onClick={() => edit({ variables: [...variables, { name: '', value: '' }] })}>
              <Icon name="plus" /> Add variable
            </button>
            <button type="button" class="btn quiet" onClick={() => set({ selected: -1, all: all.toSpliced(selected, 1) })}>
              Delete environment
            </button>
          </p>
        </>
      )}
    </ToolDialog>
  )
}
