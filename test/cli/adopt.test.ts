import { testCases } from './cases.ts'

testCases('adopt')
