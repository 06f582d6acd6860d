import { testCases } from './cases.ts'

testCases('materialize-false')
