import type { TestProject } from 'vitest/node'
import { installPackages, realPackages } from '../../scripts/package-cache.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The `node_modules` that has the packages with real documents. */
    realModules: string
  }
}

/** Installs the packages once, before the first test. */
export default function setup(project: TestProject): void {
  project.provide('realModules', installPackages('real', realPackages))
}
