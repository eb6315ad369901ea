import type { Kind } from '../../src/model/schema.ts'

export const genders = ['Woman', 'Man', 'Non-binary', 'Prefer not to say']
export const ethnicities = [
  'Asian or Asian British',
  'Black, Black British, Caribbean or African',
  'Mixed or multiple ethnic groups',
  'White',
  'Other ethnic group',
  'Prefer not to say',
]
export const disabilities = ['Yes', 'No', 'Prefer not to say']
export const languages = ['English', 'Polish', 'Urdu', 'Welsh', 'Yoruba']
export const interests = [
  'Cooking',
  'Crafts',
  'Gardening',
  'Learning English',
  'Looking for work',
  'Music',
  'Walking',
  'Wellbeing',
]
export const sources = ['A friend', 'GP or clinic', 'Jobcentre', 'Leaflet', 'Online']
export const roles = ['Befriender', 'Driver', 'Event host', 'Kitchen team', 'Tutor']
export const skills = ['Cooking', 'Counselling', 'Driving', 'First aid', 'Languages', 'Teaching']
export const availability = ['Weekday mornings', 'Weekday afternoons', 'Evenings', 'Weekends']
export const partnerTypes = ['Charity', 'Community interest company', 'Community group']
export const services = ['Advice', 'Arts', 'Food', 'Older people', 'Sport', 'Young people']

type FieldGiven = { id: string; name?: string; type: string; options?: string[] }

/** The fields of each kind of people, as an import gives them. */
export const schemas: Record<Kind, { name: string; fields: FieldGiven[] }> = {
  members: {
    name: 'Member Schema',
    fields: [
      { id: 'Full Name', type: 'text' },
      { id: 'Email', type: 'email' },
      { id: 'Phone', type: 'phone' },
      { id: 'Postcode', type: 'postcode' },
      { id: 'Country', type: 'country' },
      { id: 'Membership Number', type: 'uniqueId' },
      { id: 'Joined', type: 'date' },
      { id: 'About You', type: 'divider' },
      { id: 'Date of Birth', type: 'date' },
      named('demographics.gender', 'Gender', 'select', genders),
      named('demographics.ethnicity', 'Ethnicity', 'select', ethnicities),
      named('demographics.disability', 'Disability', 'select', disabilities),
      named('Main Language', 'Main Language', 'selectAndOther', languages),
      { id: 'Household Size', type: 'number' },
      { id: 'College', type: 'school' },
      { id: 'Benefits', type: 'benefits' },
      { id: 'Taking Part', type: 'divider' },
      named('Interests', 'Interests', 'multipleSelect', interests),
      named('Heard About Us', 'How You Heard About Us', 'selectAndOther', sources),
      { id: 'Access Needs', type: 'custom' },
      { id: 'Photo Consent', type: 'boolean' },
      { id: 'Contact Consent', type: 'boolean' },
      { id: 'Tags', type: 'tags' },
    ],
  },
  volunteers: {
    name: 'Volunteer Schema',
    fields: [
      { id: 'Full Name', type: 'text' },
      { id: 'Email', type: 'email' },
      { id: 'Phone', type: 'phone' },
      { id: 'Postcode', type: 'postcode' },
      { id: 'Started', type: 'date' },
      { id: 'Volunteering', type: 'divider' },
      named('Role', 'Role', 'select', roles),
      named('Skills', 'Skills', 'multipleSelect', skills),
      named('Availability', 'Availability', 'multipleSelect', availability),
      { id: 'Hours per Month', type: 'number' },
      { id: 'DBS Checked', type: 'boolean' },
      { id: 'In an Emergency', type: 'divider' },
      { id: 'emergency.name', name: 'Emergency Contact', type: 'text' },
      { id: 'emergency.phone', name: 'Emergency Phone', type: 'phoneNumber' },
    ],
  },
  partners: {
    name: 'Partner Schema',
    fields: [
      { id: 'Organisation Name', type: 'text' },
      named('Organisation Type', 'Organisation Type', 'select', partnerTypes),
      { id: 'Charity Number', type: 'uniqueId' },
      { id: 'Partner Since', type: 'date' },
      named('Services', 'Services', 'multipleSelect', services),
      { id: 'Active', type: 'boolean' },
      { id: 'Contact', type: 'divider' },
      { id: 'Contact Name', type: 'text' },
      { id: 'Email', type: 'email' },
      { id: 'Phone', type: 'phoneNumber' },
      { id: 'Address', type: 'text' },
      { id: 'Postcode', type: 'postcode' },
      { id: 'Country', type: 'country' },
      { id: 'Website', type: 'text' },
    ],
  },
}

function named(id: string, name: string, type: string, options: string[]) {
  return { id, name, type, options }
}
