import { type Migration, migrations } from '../../src/store/database/migrations.ts'
import { futureSteps } from './future-steps.ts'

// Before the store counts its steps. The list is only fixed by its type.
const steps = migrations as Migration[]
steps.push(...futureSteps)
