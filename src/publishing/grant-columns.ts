import type { Cell } from '../formats/xlsx.ts'
import { isObject } from '../model/json.ts'
import type { Grant } from './grant.ts'

/** The columns of published grants as a table: the titles of the 360Giving Data Standard, with the properties of a grant. */
const columns = [
  ['Identifier', 'id'],
  ['Title', 'title'],
  ['Description', 'description'],
  ['Currency', 'currency'],
  ['Amount Applied For', 'amountAppliedFor'],
  ['Amount Awarded', 'amountAwarded'],
  ['Amount Disbursed', 'amountDisbursed'],
  ['Award Date', 'awardDate'],
  ['Planned Dates:Start Date', 'plannedDates', 'startDate'],
  ['Planned Dates:End Date', 'plannedDates', 'endDate'],
  ['Planned Dates:Duration (months)', 'plannedDates', 'duration'],
  ['Actual Dates:Start Date', 'actualDates', 'startDate'],
  ['Actual Dates:End Date', 'actualDates', 'endDate'],
  ['Recipient Org:Identifier', 'recipientOrganization', 'id'],
  ['Recipient Org:Name', 'recipientOrganization', 'name'],
  ['Recipient Org:Charity Number', 'recipientOrganization', 'charityNumber'],
  ['Recipient Org:Company Number', 'recipientOrganization', 'companyNumber'],
  ['Recipient Ind:Identifier', 'recipientIndividual', 'id'],
  ['Recipient Ind:Name', 'recipientIndividual', 'name'],
  ['Beneficiary Location:Name', 'beneficiaryLocation', 'name'],
  ['Beneficiary Location:Geographic Code', 'beneficiaryLocation', 'geoCode'],
  ['Beneficiary Location:Geographic Code Type', 'beneficiaryLocation', 'geoCodeType'],
  ['Funding Org:Identifier', 'fundingOrganization', 'id'],
  ['Funding Org:Name', 'fundingOrganization', 'name'],
  ['Grant Programme:Code', 'grantProgramme', 'code'],
  ['Grant Programme:Title', 'grantProgramme', 'title'],
  ['From An Open Call?', 'fromOpenCall'],
  ['Last Modified', 'dateModified'],
] as const

export const headings = columns.map(([title]) => title)

/** A grant as a row. A list has at most one object. */
export const toCells = (grant: Grant): Cell[] =>
  columns.map(([, name, part]): Cell => {
    const property: unknown = grant[name]
    const object: unknown = Array.isArray(property) ? property[0] : property
    const value = part && isObject(object) ? object[part] : object
    if (typeof value === 'number') return { type: 'number', value }
    // Days stay texts: the standard asks for YYYY-MM-DD.
    return { type: 'text', text: typeof value === 'string' ? value : '' }
  })
