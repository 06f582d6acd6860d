import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * For the environment of a process that runs the source: what its modules become stays between starts, in the folder that Node itself
 * takes by default, as `serve` does it. Without it a start takes half as much time again.
 */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') } as const
