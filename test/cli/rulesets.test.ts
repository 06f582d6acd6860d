import { testCases } from './cases.ts'

testCases('rulesets')
