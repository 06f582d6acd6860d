import { testCases } from './cases.ts'

testCases('check-links')
