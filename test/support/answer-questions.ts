import type { Choice, Questions } from '../../src/cli/base/ask.ts'

/** One question as the person sees it. */
interface Asked {
  readonly message: string
  readonly choices: readonly string[]
}

/** Answers questions in order, each with the labels to choose, `yes`, `no`, or `undefined` to cancel. Records what was asked. */
export function answerQuestions(...answers: readonly (readonly string[] | 'yes' | 'no' | undefined)[]): Questions & {
  readonly asked: readonly Asked[]
} {
  const asked: Asked[] = []
  const left = [...answers]
  const next = (message: string, choices: readonly Choice[]) => {
    asked.push({ message, choices: choices.map(({ label }) => label) })
    if (left.length === 0) throw new Error(`Unexpected question: ${message}`)
    return left.shift()
  }
  const toValues = (labels: readonly string[], choices: readonly Choice[]) =>
    labels.map((label) => {
      const choice = choices.find((each) => each.label === label)
      if (!choice) throw new Error(`No choice is called ${label}`)
      return choice.value
    })
  const chooseSeveral: Questions['chooseSeveral'] = async (message, choices) => {
    const answer = next(message, choices)
    return answer === undefined ? undefined : toValues([answer].flat(), choices)
  }
  return {
    asked,
    choose: async (message, choices) => (await chooseSeveral(message, choices))?.[0],
    chooseSeveral,
    confirm: async (message) => {
      const answer = next(message, [])
      return answer === undefined ? undefined : answer === 'yes'
    },
    ask: async (message) => {
      const answer = next(message, [])
      return Array.isArray(answer) ? answer[0] : undefined
    },
  }
}
