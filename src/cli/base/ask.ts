import type { Readable, Writable } from 'node:stream'

/** Asks the person at the terminal. Each function returns `undefined` if the person cancels. */
export type Questions = Awaited<ReturnType<typeof openQuestions>>

/** One choice of a question. */
export interface Choice {
  readonly value: string
  readonly label: string
  /** More about the choice, shown while it is selected. */
  readonly hint?: string
}

/** Opens questions on a terminal. Loads the prompts only then. */
export async function openQuestions(input: Readable, output: Writable) {
  const prompts = await import('@clack/prompts')
  const streams = { input, output }
  return {
    choose: async (message: string, choices: readonly Choice[]) => {
      const answer = await prompts.select({ message, options: choices.map((choice) => ({ ...choice })), ...streams })
      return prompts.isCancel(answer) ? undefined : answer
    },
    chooseSeveral: async (message: string, choices: readonly Choice[]) => {
      const initialValues = choices.map(({ value }) => value)
      const options = choices.map((choice) => ({ ...choice }))
      const answer = await prompts.multiselect({ message, options, initialValues, required: true, ...streams })
      return prompts.isCancel(answer) ? undefined : answer
    },
    confirm: async (message: string) => {
      const answer = await prompts.confirm({ message, ...streams })
      return prompts.isCancel(answer) ? undefined : answer
    },
    /** Asks for a text that is not empty. */
    ask: async (message: string, placeholder: string) => {
      const validate = (text = '') => (text.trim() === '' ? 'Type a command' : undefined)
      const answer = await prompts.text({ message, placeholder, validate, ...streams })
      return prompts.isCancel(answer) ? undefined : answer
    },
  }
}
