import type { Static, TObject } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ConfigError, FilesError, GitError } from '../../text/errors.ts'

/** A tool that an agent can call. It only reads. */
export interface AgentTool {
  readonly name: string
  readonly title: string
  /** What it does and when to use it. Agents choose a tool by it. */
  readonly description: string
  readonly input: TObject
  /**
   * Returns Markdown or plain text.
   *
   * @throws {ToolError} for arguments that an agent can correct.
   */
  readonly run: (args: unknown) => Promise<string>
}

/** A failed call. The agent receives the message. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** Defines a tool whose arguments are checked against its schema before it runs. */
export function defineTool<Input extends TObject>(
  tool: Omit<AgentTool, 'input' | 'run'> & { readonly input: Input; readonly run: (args: Static<Input>) => Promise<string> },
): AgentTool {
  const names = Object.keys(tool.input.properties)
  return {
    ...tool,
    run: async (args) => {
      const given = args ?? {}
      if (!Value.Check(tool.input, given)) throw new ToolError(describeMismatch(tool.input, given, names))
      return await tool.run(given)
    },
  }
}

function describeMismatch(input: TObject, given: unknown, names: readonly string[]): string {
  const unknown =
    typeof given === 'object' && given !== null ? Object.keys(given).find((name) => !names.includes(name)) : undefined
  const expected = `Arguments: ${names.map((name) => `\`${name}\``).join(', ')}`
  if (unknown !== undefined) return `Unexpected argument \`${unknown.slice(0, 100)}\`. ${expected}`
  const missing = input.required?.find((name) => !Object.hasOwn(given as object, name))
  if (missing !== undefined) return `Missing argument \`${missing}\`. ${expected}`
  const [first] = Value.Errors(input, given)
  return `Invalid argument${first ? ` \`${first.instancePath.slice(1)}\`: ${first.message}` : 's'}. ${expected}`
}

/** The message of a failed call, or `undefined` for an unexpected error, whose details could be confidential. */
export function describeFailure(error: unknown): string | undefined {
  if (error instanceof ToolError) return error.message
  if (error instanceof ConfigError || error instanceof FilesError || error instanceof GitError) {
    return error.hint === undefined ? error.message : `${error.message}\n${error.hint}`
  }
  return undefined
}

/** The most results of one call, so that they do not fill the context of an agent. */
const most = 200

/** Arguments of a tool that returns a list in parts. */
export const listArguments = (byDefault: number) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `Most entries to return. Default: ${byDefault}` })),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of entries to skip. Default: 0' })),
})

/** Returns one part of a list, and the line that says how to get the next one; `''` after the last entry. */
export function takePart<Entry>(
  entries: readonly Entry[],
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number | undefined },
): { readonly part: readonly Entry[]; readonly rest: string } {
  const end = Math.min(entries.length, offset + limit)
  const rest =
    end < entries.length ? `\nEntries ${offset + 1} to ${end} of ${entries.length}. For more, set \`offset\` to ${end}.` : ''
  return { part: entries.slice(offset, end), rest }
}
